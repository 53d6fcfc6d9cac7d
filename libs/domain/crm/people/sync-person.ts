import { PERSON_FIELDS } from '@domain/campaigns';
import { type LeadRecord, type PersonField } from '@domain/leads';
import { type Types } from 'mongoose';

/** What a sync reads of a lead. */
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

/** One person as all campaigns know it: an address is a person. */
export interface SyncPerson {
  readonly email: string;
  /** Those that were not removed, the one that changed last first. */
  readonly leads: readonly SyncLead[];
  /** Campaigns that it was removed from. */
  readonly removedFrom: ReadonlySet<string>;
  /** Nobody may write to it. */
  readonly isSuppressed: boolean;
  /** It said that it is interested. */
  readonly isPositive: boolean;
  /** Name of the campaign of the lead that changed last; empty when it is gone. */
  readonly campaign: string;
}

const FIELDS: ReadonlySet<string> = new Set(PERSON_FIELDS);

/** A field of a person or a variable of one lead; empty when it has none. */
export function getLeadValue(lead: SyncLead, name: string): string {
  if (FIELDS.has(name)) return lead[name as PersonField];
  return Object.hasOwn(lead.variables, name) ? (lead.variables[name] ?? '') : '';
}

/** What is known of the person under this name: what the lead has that changed last, of those that have something. */
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

/** The lead of this campaign; undefined when there is none, or it was removed. */
export function findLead({ leads }: SyncPerson, campaignId: Types.ObjectId): SyncLead | undefined {
  return leads.find((lead) => lead.campaignId.equals(campaignId));
}
