import { type WorkspaceScope } from '@domain/access';
import { type CampaignRepository } from '@domain/campaigns';
import { parseId } from '@platform/database';
import { invalidField } from '@platform/errors';
import { type Types } from 'mongoose';

/**
 * Converts the ids of the campaigns of a recipient to their stored form, in one query. Joins a running transaction.
 * @throws VALIDATION_ERROR naming `campaignIds` for a campaign that the workspace does not have
 */
export async function requireCampaigns(
  campaigns: CampaignRepository,
  { workspaceId }: WorkspaceScope,
  campaignIds: readonly string[],
): Promise<Types.ObjectId[]> {
  const ids = campaignIds.map(parseId);
  const known = await listKnownIds(
    campaigns,
    workspaceId,
    ids.filter((id) => id !== null),
  );
  const unknown = campaignIds.find((_id, at) => !known.has(ids[at]?.toHexString() ?? ''));
  if (unknown !== undefined) throw invalidField('campaignIds', `campaignIds names an unknown campaign: ${unknown}`);
  return ids.filter((id) => id !== null);
}

/** Returns the campaigns that still exist. */
export async function listExistingCampaigns(
  campaigns: CampaignRepository,
  workspaceId: Types.ObjectId,
  campaignIds: readonly Types.ObjectId[],
): Promise<Types.ObjectId[]> {
  const known = await listKnownIds(campaigns, workspaceId.toHexString(), campaignIds);
  return campaignIds.filter((id) => known.has(id.toHexString()));
}

async function listKnownIds(
  campaigns: CampaignRepository,
  workspaceId: string,
  ids: readonly Types.ObjectId[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const found = await campaigns.existing(ids);
  return new Set(found.flatMap((one) => (String(one.workspaceId) === workspaceId ? [one._id.toHexString()] : [])));
}
