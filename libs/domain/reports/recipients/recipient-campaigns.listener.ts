import { type WorkspaceScope } from '@domain/access';
import { CampaignRepository } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { parseId } from '@platform/database';
import { invalidField } from '@platform/errors';
import { type Types } from 'mongoose';

/** The campaigns that somebody is told of. */
@Injectable()
export class RecipientCampaignsListener {
  constructor(private readonly campaigns: CampaignRepository) {}

  /**
   * The ids as they are stored; one query. Joins a running transaction.
   * @throws VALIDATION_ERROR naming `campaignIds` for one that the workspace does not have
   */
  async require({ workspaceId }: WorkspaceScope, campaignIds: readonly string[]): Promise<Types.ObjectId[]> {
    const ids = campaignIds.map(parseId);
    const known = await this.#known(
      workspaceId,
      ids.filter((id) => id !== null),
    );
    const unknown = campaignIds.find((_id, at) => !known.has(ids[at]?.toHexString() ?? ''));
    if (unknown !== undefined) throw invalidField('campaignIds', `campaignIds names an unknown campaign: ${unknown}`);
    return ids.filter((id) => id !== null);
  }

  /** Those that are still there. */
  async remaining(workspaceId: Types.ObjectId, campaignIds: readonly Types.ObjectId[]): Promise<Types.ObjectId[]> {
    const known = await this.#known(workspaceId.toHexString(), campaignIds);
    return campaignIds.filter((id) => known.has(id.toHexString()));
  }

  async #known(workspaceId: string, ids: readonly Types.ObjectId[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const found = await this.campaigns.existing(ids);
    return new Set(found.flatMap((one) => (String(one.workspaceId) === workspaceId ? [one._id.toHexString()] : [])));
  }
}
