import { isVirtual, type MappingRule, type VirtualField } from './field-rule';
import { type LeadStage } from './lead-stage';

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

const VIRTUAL: Record<VirtualField, (lead: PushedLead) => string> = {
  stage: ({ stage }) => stage,
  optedOut: ({ optedOut }) => String(optedOut),
  lastContactedAt: ({ lastContactedAt }) => lastContactedAt?.toISOString() ?? '',
  campaign: ({ campaign }) => campaign,
};

/** What a rule pushes of a lead, as a text; empty where the lead has nothing. Pure. */
export function getLeadText(lead: PushedLead, name: string): string {
  if (isVirtual(name)) return VIRTUAL[name](lead);
  return Object.hasOwn(lead.values, name) ? (lead.values[name] ?? '') : '';
}

/** The rules by which something of this lead is told to the CRM. Pure. */
export function filterPushRules(rules: readonly MappingRule[], lead: PushedLead): MappingRule[] {
  return rules.filter((rule) => rule.direction !== 'pull' && !isUnmappedConsent(rule, getLeadText(lead, rule.lead)));
}

/** That somebody has not opted out here is no consent: a choice is told of it only where the rule says what to tell. */
function isUnmappedConsent({ lead, type, values }: MappingRule, text: string): boolean {
  const isSaid = values !== null && Object.hasOwn(values, text);
  return lead === 'optedOut' && text === 'false' && type === 'choice' && !isSaid;
}
