import { type WorkspaceScope } from '@domain/access';
import { parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { type CampaignRecord } from './schemas/campaign.record';

/** The campaign of the workspace, as it is stored. @throws NOT_FOUND, also for a malformed id, another workspace's and a deleted one */
export async function findCampaign(
  campaigns: Model<CampaignRecord>,
  { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
  campaignId: string,
): Promise<CampaignRecord> {
  const _id = parseId(campaignId);
  const record = _id && (await campaigns.findOne({ workspaceId, _id, deletedAt: null }).lean<CampaignRecord>());
  if (!record) throw notFound('Campaign');
  return record;
}
