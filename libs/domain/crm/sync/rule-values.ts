import { type CrmPerson } from '@adapters/crm';
import { PERSON_FIELDS } from '@domain/campaigns';
import { type MappingRule } from '../mapping/field-rule';
import { toLeadValue } from '../mapping/field-value';
import { getStage } from '../mapping/lead-stage';
import { type PushedLead } from '../mapping/pushed-lead';
import { getMergedValue, getMergedVariables, type SyncPerson } from '../people/sync-person';

/** The rules without those of deleted CRM fields. */
export function withoutDropped(mapping: readonly MappingRule[], dropped: readonly string[]): MappingRule[] {
  return mapping.filter(({ crm }) => !dropped.includes(crm));
}

/** The CRM fields of the rules of this direction. */
export function listFields(mapping: readonly MappingRule[], direction: 'pull' | 'push'): string[] {
  const used = mapping.filter((rule) => rule.direction === direction || rule.direction === 'both');
  return [...new Set(used.map(({ crm }) => crm))];
}

/** The CRM value of a rule converted for a lead; null when unsuitable. */
export function getIncomingValue(rule: MappingRule, person: CrmPerson): string | null {
  const converted = toLeadValue(rule, getRemoteValue(rule, person));
  return converted.ok ? converted.value : null;
}

export function getRemoteValue({ crm }: Pick<MappingRule, 'crm'>, { fields }: Pick<CrmPerson, 'fields'>) {
  return Object.hasOwn(fields, crm) ? (fields[crm] ?? null) : null;
}

/** The push values of a person, merged from all its leads. */
export function getPushedLead(person: SyncPerson): PushedLead {
  const { leads, isSuppressed, isPositive, campaign } = person;
  const some = (matches: (lead: SyncPerson['leads'][number]) => boolean) => leads.some(matches);
  const sentAt = leads.flatMap(({ lastSentAt }) => lastSentAt?.getTime() ?? []);
  const own = Object.fromEntries(PERSON_FIELDS.map((field) => [field, getMergedValue(person, field)]));
  return {
    values: { ...getMergedVariables(person), ...own, email: person.email },
    stage: getStage({
      bounced: some(({ status }) => status === 'bounced'),
      unsubscribed: some(({ unsubscribedAt }) => unsubscribedAt !== undefined),
      positive: isPositive,
      replied: some(({ repliedAt }) => repliedAt !== undefined),
      opened: some(({ openedAt }) => openedAt !== undefined),
      contacted: some(({ sentCount }) => sentCount > 0),
    }),
    optedOut: isSuppressed,
    lastContactedAt: sentAt.length > 0 ? new Date(Math.max(...sentAt)) : null,
    campaign,
  };
}
