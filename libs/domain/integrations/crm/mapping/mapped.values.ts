import { type CrmPerson, type CrmValue } from '@adapters/crm';
import { type FoundValue } from '@domain/leads';
import { isVirtual, type KeptRule, type VirtualField } from './field.rule';
import { valueForCrm, valueForLead } from './field.value';
import { type LeadStage } from './lead.stage';

/** A lead as it is pushed. */
export interface PushedLead {
  /** Fields of the person and variables, by name. */
  readonly values: Readonly<Record<string, string>>;
  readonly stage: LeadStage;
  /** Whether nobody may write to it any more. */
  readonly optedOut: boolean;
  readonly lastContactedAt: Date | null;
  /** Name of its campaign; empty for none. */
  readonly campaign: string;
}

/** A value that the other side cannot have. */
export interface ValueFault {
  readonly lead: string;
  readonly crm: string;
  readonly reason: string;
}

const VIRTUAL: Record<VirtualField, (lead: PushedLead) => string> = {
  stage: ({ stage }) => stage,
  optedOut: ({ optedOut }) => String(optedOut),
  lastContactedAt: ({ lastContactedAt }) => lastContactedAt?.toISOString() ?? '',
  campaign: ({ campaign }) => campaign,
};

/** What a rule pushes of a lead, as a text; empty where the lead has nothing. Pure. */
export function textOfLead(lead: PushedLead, name: string): string {
  if (isVirtual(name)) return VIRTUAL[name](lead);
  return Object.hasOwn(lead.values, name) ? (lead.values[name] ?? '') : '';
}

/** What a person of the CRM says of a lead. What the person does not have is not in it. Pure. */
export function pulledValues(
  rules: readonly KeptRule[],
  person: Pick<CrmPerson, 'fields'>,
): { values: FoundValue[]; faults: ValueFault[] } {
  const values: FoundValue[] = [];
  const faults: ValueFault[] = [];
  for (const rule of rules) {
    if (rule.direction === 'push') continue;
    const value = Object.hasOwn(person.fields, rule.crm) ? (person.fields[rule.crm] ?? null) : null;
    const converted = valueForLead(rule, value);
    if (!converted.ok) faults.push(faultOf(rule, converted.reason));
    else if (converted.value !== '') values.push({ name: rule.lead, value: converted.value });
  }
  return { values, faults };
}

/** What a lead is for the CRM: null where the lead has nothing. Pure. */
export function pushedFields(
  rules: readonly KeptRule[],
  lead: PushedLead,
): { fields: Record<string, CrmValue>; faults: ValueFault[] } {
  const fields = new Map<string, CrmValue>();
  const faults: ValueFault[] = [];
  for (const rule of rules) {
    if (rule.direction === 'pull') continue;
    const text = textOfLead(lead, rule.lead);
    if (isUntold(rule, text)) continue;
    const converted = valueForCrm(rule, text);
    if (converted.ok) fields.set(rule.crm, converted.value);
    else faults.push(faultOf(rule, converted.reason));
  }
  return { fields: Object.fromEntries(fields), faults };
}

/** That somebody has not opted out here is no consent: a choice is told of it only where the rule says what to tell. */
function isUntold({ lead, type, values }: KeptRule, text: string): boolean {
  const isSaid = values !== null && Object.hasOwn(values, text);
  return lead === 'optedOut' && text === 'false' && type === 'choice' && !isSaid;
}

function faultOf({ lead, crm }: KeptRule, reason: string): ValueFault {
  return { lead, crm, reason };
}
