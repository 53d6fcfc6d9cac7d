import { PERSON_FIELDS } from '@domain/campaigns';
import { type LeadRecord, type PersonField } from '@domain/leads';
import { type Types } from 'mongoose';

/** The fields of a lead that a sync reads. */
export type SyncLead = Pick<
  LeadRecord,
  | '_id'
  | 'campaignId'
  | 'email'
  | 'variables'
  | 'status'
  | 'stopReason'
  | 'sentCount'
  | 'lastSentAt'
  | 'openedAt'
  | 'repliedAt'
  | 'unsubscribedAt'
  | 'updatedAt'
  | PersonField
>;

/** One person over all campaigns: an address is a person. */
export interface SyncPerson {
  readonly email: string;
  /** Leads that were not removed, last updated first. */
  readonly leads: readonly SyncLead[];
  /** Campaigns from which it was removed. */
  readonly removedFrom: ReadonlySet<string>;
  /** It is suppressed. */
  readonly isSuppressed: boolean;
  /** It replied positively. */
  readonly isPositive: boolean;
  /** Campaign name of the last updated lead; empty when it was deleted. */
  readonly campaign: string;
}

const FIELDS: ReadonlySet<string> = new Set(PERSON_FIELDS);

/** A person field or variable of a lead; empty when missing. */
export function getLeadValue(lead: SyncLead, name: string): string {
  if (FIELDS.has(name)) return lead[name as PersonField];
  return Object.hasOwn(lead.variables, name) ? (lead.variables[name] ?? '') : '';
}

/** The person's value: that of the last updated lead with a value. */
export function getMergedValue({ leads }: Pick<SyncPerson, 'leads'>, name: string): string {
  for (const lead of leads) {
    const value = getLeadValue(lead, name);
    if (value !== '') return value;
  }
  return '';
}

/** All variables of the person, each as `getMergedValue` says. */
export function getMergedVariables({ leads }: Pick<SyncPerson, 'leads'>): Record<string, string> {
  const merged = new Map<string, string>();
  for (const { variables } of leads) {
    for (const [name, value] of Object.entries(variables))
      if (value !== '' && !merged.has(name)) merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

/** The lead in this campaign; undefined without one or when it was removed. */
export function findCampaignLead({ leads }: SyncPerson, campaignId: Types.ObjectId): SyncLead | undefined {
  return leads.find((lead) => lead.campaignId.equals(campaignId));
}
