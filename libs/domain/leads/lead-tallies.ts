import { type Types } from 'mongoose';
import { type LeadChanges } from './lead-campaign.service';
import { type LeadStatus } from './schemas/lead.record';

interface Standing {
  campaignId: Types.ObjectId;
  status: LeadStatus;
}

/** What leads that become `status` change in the figures of each of their campaigns. */
export function changesTo(
  leads: readonly Standing[],
  status: LeadStatus,
): { campaignId: Types.ObjectId; changes: LeadChanges }[] {
  return byCampaign(leads).map(({ campaignId, of }) => {
    const changes: LeadChanges = { [status]: of.length };
    for (const lead of of) changes[lead.status] = (changes[lead.status] ?? 0) - 1;
    return { campaignId, changes };
  });
}

export function byCampaign<L extends { campaignId: Types.ObjectId }>(
  leads: readonly L[],
): { campaignId: Types.ObjectId; of: L[] }[] {
  const groups = new Map<string, { campaignId: Types.ObjectId; of: L[] }>();
  for (const lead of leads) {
    const id = lead.campaignId.toHexString();
    const group = groups.get(id) ?? { campaignId: lead.campaignId, of: [] };
    group.of.push(lead);
    groups.set(id, group);
  }
  return [...groups.values()];
}
