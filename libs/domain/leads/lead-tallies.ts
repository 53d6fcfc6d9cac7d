import { type Types } from 'mongoose';
import { type LeadTally } from '@domain/campaigns';
import { type LeadStatus } from './schemas/lead.record';

export type LeadChanges = Partial<Record<LeadTally, number>>;

interface CountedLead {
  campaignId: Types.ObjectId;
  status: LeadStatus;
}

/** The counter changes of each campaign when its leads get `status`. */
export function getCountChanges(
  leads: readonly CountedLead[],
  status: LeadStatus,
): { campaignId: Types.ObjectId; changes: LeadChanges }[] {
  return groupByCampaign(leads).map(({ campaignId, leads: changed }) => {
    const changes: LeadChanges = { [status]: changed.length };
    for (const lead of changed) changes[lead.status] = (changes[lead.status] ?? 0) - 1;
    return { campaignId, changes };
  });
}

export function groupByCampaign<L extends { campaignId: Types.ObjectId }>(
  leads: readonly L[],
): { campaignId: Types.ObjectId; leads: L[] }[] {
  const groups = new Map<string, { campaignId: Types.ObjectId; leads: L[] }>();
  for (const lead of leads) {
    const id = lead.campaignId.toHexString();
    const group = groups.get(id) ?? { campaignId: lead.campaignId, leads: [] };
    group.leads.push(lead);
    groups.set(id, group);
  }
  return [...groups.values()];
}
