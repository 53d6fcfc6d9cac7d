import { isVirtual, type MappingRule, type VirtualField } from './field-rule';
import { type LeadStage } from './lead-stage';

/** The pushed values of a lead. */
export interface PushedLead {
  /** Fields of the person and variables, by name. */
  readonly values: Readonly<Record<string, string>>;
  readonly stage: LeadStage;
  /** Whether it is suppressed. */
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

/** Returns the text of a lead field; empty when missing. Pure. */
export function getLeadText(lead: PushedLead, name: string): string {
  if (isVirtual(name)) return VIRTUAL[name](lead);
  return Object.hasOwn(lead.values, name) ? (lead.values[name] ?? '') : '';
}

/** Returns the rules that apply to a push of this lead. Pure. */
export function filterPushRules(rules: readonly MappingRule[], lead: PushedLead): MappingRule[] {
  return rules.filter((rule) => rule.direction !== 'pull' && !isUnmappedConsent(rule, getLeadText(lead, rule.lead)));
}

/** A missing opt-out is no consent: it is pushed into a choice field only with a mapped value. */
function isUnmappedConsent({ lead, type, values }: MappingRule, text: string): boolean {
  const isSaid = values !== null && Object.hasOwn(values, text);
  return lead === 'optedOut' && text === 'false' && type === 'choice' && !isSaid;
}
