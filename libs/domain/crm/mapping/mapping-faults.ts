import { type CrmField, type CrmFieldType } from '@adapters/crm';
import { findValueFault } from '@domain/leads';
import { type ErrorDetail } from '@platform/errors';
import { type FieldRule, isVirtual, type VirtualField } from './field-rule';

/** More than a lead has room for. */
export const MAX_RULES = 60;
/** Most characters of a name at the CRM. */
const MAX_NAME = 200;
/** Values of one rule that stand for others, and most characters of one. */
export const MAX_VALUES = 200;
const MAX_VALUE = 500;

/** The account's own fields of a person that are never pushed into by a rule, and why. Names of all vendors: no two mean something else. */
const HOUSE_FIELDS: ReadonlyMap<string, string> = new Map([
  ...['hubspot_owner_id', 'OwnerId', 'Owner', 'owner_id', 'owner'].map(
    (name) => [name, 'is the owner of people: the connection says whether it is written'] as const,
  ),
  ...['email', 'Email', 'emails', 'email_addresses'].map(
    (name) => [name, 'is the address, by which people are known: it is written when somebody is made'] as const,
  ),
]);

/** What of a lead goes into which fields of a CRM; whatever else is text, into any. */
const VIRTUAL_TYPES: Record<VirtualField, ReadonlySet<CrmFieldType>> = {
  stage: new Set(['text', 'choice']),
  optedOut: new Set(['boolean', 'choice', 'text']),
  lastContactedAt: new Set(['instant', 'day', 'text']),
  campaign: new Set(['text', 'choice']),
};

/**
 * What is wrong with a mapping, one entry for each. Pure.
 * @param fields what people have at the CRM; null when nobody could be asked
 */
export function mappingFaults(rules: readonly FieldRule[], fields: readonly CrmField[] | null): ErrorDetail[] {
  if (rules.length > MAX_RULES) {
    return [{ field: 'rules', message: `rules must be at most ${MAX_RULES}` }];
  }
  const byName = fields && new Map(fields.map((field) => [field.name, field]));
  const pulled = new Set<string>();
  const pushed = new Set<string>();
  return rules.flatMap((rule, at) => {
    const faults = [
      ...ruleFaults(rule),
      ...(byName ? fieldFaults(rule, byName.get(rule.crm)) : []),
      ...takenFaults(rule, pulled, pushed),
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

function ruleFaults(rule: FieldRule): Fault[] {
  return [...leadFaults(rule), ...nameFaults(rule), ...valuesFaults(rule)];
}

/** An empty value fits every field: what is wrong then is the name. */
function leadFaults({ lead, direction }: FieldRule): Fault[] {
  if (isVirtual(lead)) {
    return direction === 'push'
      ? []
      : [['direction', `must be push: ${lead} is known here and never taken from a CRM`]];
  }
  if (lead === 'email') return [['lead', 'is the address, by which people are known on both sides']];
  const fault = findValueFault({ name: lead, value: '' });
  return fault === null ? [] : [['lead', fault]];
}

function nameFaults({ crm, direction }: FieldRule): Fault[] {
  if (crm.trim() === '' || crm.length > MAX_NAME || !crm.isWellFormed() || crm.includes('\0')) {
    return [['crm', `must be the name of a field: 1 to ${MAX_NAME} characters of well-formed text`]];
  }
  const house = HOUSE_FIELDS.get(crm);
  return house !== undefined && direction !== 'pull' ? [['crm', house]] : [];
}

function valuesFaults({ values, direction }: FieldRule): Fault[] {
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

function fieldFaults({ lead, direction, values }: FieldRule, field: CrmField | undefined): Fault[] {
  if (!field) return [['crm', 'is no field that people have at this CRM']];
  if (field.type === 'other') return [['crm', 'is of a kind that cannot be synchronised']];
  if (direction !== 'pull' && !field.isWritable) return [['crm', 'cannot be written: pull it, or choose another one']];
  if (isVirtual(lead) && !VIRTUAL_TYPES[lead].has(field.type)) {
    return [['crm', `is a ${field.type}: ${lead} goes into ${[...VIRTUAL_TYPES[lead]].join(', ')} only`]];
  }
  const strange = Object.values(values ?? {}).find((value) => field.options !== null && !field.options.includes(value));
  return strange === undefined ? [] : [['values', 'name an option that the field does not have']];
}

function takenFaults({ lead, crm, direction }: FieldRule, pulled: Set<string>, pushed: Set<string>): Fault[] {
  if (direction !== 'push' && pulled.has(lead)) return [['lead', 'is filled by another rule already']];
  return direction !== 'pull' && pushed.has(crm) ? [['crm', 'is filled by another rule already']] : [];
}
