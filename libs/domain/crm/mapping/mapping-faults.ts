import { type CrmField, type CrmFieldType } from '@adapters/crm';
import { findValueFault } from '@domain/leads';
import { type ErrorDetail } from '@platform/errors';
import { type FieldRule, isVirtual, type VirtualField } from './field-rule';

/** Maximum rules: more than a lead has fields. */
export const MAX_RULES = 60;
/** Maximum characters of a CRM field name. */
const MAX_NAME = 200;
/** Maximum value pairs of a rule, and maximum characters of a value. */
export const MAX_VALUES = 200;
const MAX_VALUE = 500;

/** CRM fields that rules never push to, with the reason. The names of all vendors are unambiguous. */
const RESERVED_FIELDS: ReadonlyMap<string, string> = new Map([
  ...['hubspot_owner_id', 'OwnerId', 'Owner', 'owner_id', 'owner'].map(
    (name) => [name, 'is the owner of people: the connection says whether it is written'] as const,
  ),
  ...['email', 'Email', 'emails', 'email_addresses'].map(
    (name) => [name, 'is the address, which identifies people: it is written at creation only'] as const,
  ),
]);

/** CRM field types that accept a virtual field. */
const VIRTUAL_TYPES: Record<VirtualField, ReadonlySet<CrmFieldType>> = {
  stage: new Set(['text', 'choice']),
  optedOut: new Set(['boolean', 'choice', 'text']),
  lastContactedAt: new Set(['instant', 'day', 'text']),
  campaign: new Set(['text', 'choice']),
};

/**
 * Returns the faults of a mapping, at most one per rule. Pure.
 * @param fields person fields of the CRM; null when unknown
 */
export function findMappingFaults(rules: readonly FieldRule[], fields: readonly CrmField[] | null): ErrorDetail[] {
  if (rules.length > MAX_RULES) {
    return [{ field: 'rules', message: `rules must be at most ${MAX_RULES}` }];
  }
  const byName = fields && new Map(fields.map((field) => [field.name, field]));
  const pulled = new Set<string>();
  const pushed = new Set<string>();
  return rules.flatMap((rule, at) => {
    const faults = [
      ...findRuleFaults(rule),
      ...(byName ? findFieldFaults(rule, byName.get(rule.crm)) : []),
      ...findDuplicateFaults(rule, pulled, pushed),
    ];
    if (rule.direction !== 'push') pulled.add(rule.lead);
    if (rule.direction !== 'pull') pushed.add(rule.crm);
    return faults.slice(0, 1).map(([name, reason]) => {
      const field = `rules.${at}.${name}`;
      return { field, message: `${field} ${reason}` };
    });
  });
}

type Fault = readonly [field: keyof FieldRule, reason: string];

function findRuleFaults(rule: FieldRule): Fault[] {
  return [...findLeadFaults(rule), ...findNameFaults(rule), ...findValuesFaults(rule)];
}

/** An empty value fits each field, so a fault concerns the name. */
function findLeadFaults({ lead, direction }: FieldRule): Fault[] {
  if (isVirtual(lead)) {
    return direction === 'push'
      ? []
      : [['direction', `must be push: ${lead} is derived here and never taken from a CRM`]];
  }
  if (lead === 'email') return [['lead', 'is the address, which identifies people on both sides']];
  const fault = findValueFault({ name: lead, value: '' });
  return fault === null ? [] : [['lead', fault]];
}

function findNameFaults({ crm, direction }: FieldRule): Fault[] {
  if (crm.trim() === '' || crm.length > MAX_NAME || !crm.isWellFormed() || crm.includes('\0')) {
    return [['crm', `must be the name of a field: 1 to ${MAX_NAME} characters of well-formed text`]];
  }
  const house = RESERVED_FIELDS.get(crm);
  return house !== undefined && direction !== 'pull' ? [['crm', house]] : [];
}

function findValuesFaults({ values, direction }: FieldRule): Fault[] {
  if (values === null) return [];
  const pairs = Object.entries(values);
  if (pairs.length === 0 || pairs.length > MAX_VALUES)
    return [['values', `must have 1 to ${MAX_VALUES} pairs, or be null`]];
  if (
    pairs.flat().some((text) => text === '' || text.length > MAX_VALUE || !text.isWellFormed() || text.includes('\0'))
  ) {
    return [['values', `must have texts of 1 to ${MAX_VALUE} well-formed characters`]];
  }
  const isReadBackwards = direction !== 'push' && new Set(Object.values(values)).size < pairs.length;
  return isReadBackwards ? [['values', 'name one value of the CRM twice, which cannot be read backwards']] : [];
}

function findFieldFaults({ lead, direction, values }: FieldRule, field: CrmField | undefined): Fault[] {
  if (!field) return [['crm', 'is no field of a person at this CRM']];
  if (field.type === 'other') return [['crm', 'is of a kind that cannot be synchronised']];
  if (direction !== 'pull' && !field.isWritable) return [['crm', 'cannot be written: pull it, or choose another one']];
  if (isVirtual(lead) && !VIRTUAL_TYPES[lead].has(field.type)) {
    return [['crm', `is a ${field.type}: ${lead} goes into ${[...VIRTUAL_TYPES[lead]].join(', ')} only`]];
  }
  const strange = Object.values(values ?? {}).find((value) => field.options !== null && !field.options.includes(value));
  return strange === undefined ? [] : [['values', 'name an option that the field does not have']];
}

function findDuplicateFaults({ lead, crm, direction }: FieldRule, pulled: Set<string>, pushed: Set<string>): Fault[] {
  if (direction !== 'push' && pulled.has(lead)) return [['lead', 'is filled by another rule already']];
  return direction !== 'pull' && pushed.has(crm) ? [['crm', 'is filled by another rule already']] : [];
}
