import { type WorkspaceScope } from '@domain/access';
import { MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type ErrorDetail, validationFailed } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { type Model, type Types } from 'mongoose';
import { CAMPAIGN_HOOKS } from './campaign-hooks';
import { CampaignMailboxRecord } from './schemas/campaign-mailbox.record';
import { type CampaignRecord } from './schemas/campaign.record';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Writes the mailboxes of a campaign. Called in the transaction that writes the campaign. */
@Injectable()
export class CampaignMailboxesService {
  constructor(
    @InjectModel(CampaignMailboxRecord.name) private readonly shares: Model<CampaignMailboxRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly hooks: HookRegistry,
  ) {}

  /**
   * Returns the mailboxes with these ids and prevents their deletion until the running transaction ends.
   * @throws VALIDATION_ERROR naming `mailboxes.N` for one that the workspace does not have, and for one given twice
   */
  async lockMailboxes(workspace: Workspace, mailboxIds: readonly string[]): Promise<Types.ObjectId[]> {
    const ids = mailboxIds.map((id) => id.toLowerCase());
    const found = await this.mailboxes.lockReferences(workspace, ids);
    const errors: ErrorDetail[] = ids.flatMap((id, at) => {
      const field = `mailboxes.${at}`;
      if (!found.has(id)) return [{ field, message: `${field} is not a mailbox of this workspace` }];
      return ids.indexOf(id) < at ? [{ field, message: `${field} is given twice` }] : [];
    });
    if (errors.length > 0) throw validationFailed(errors);
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** Gives each of these mailboxes a share in the campaign; removed ones keep theirs with the figures of earlier sends. */
  async assign(
    { workspaceId }: Workspace,
    campaignId: Types.ObjectId,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<void> {
    const others = { workspaceId, campaignId, mailboxId: { $nin: [...mailboxIds, null] }, assigned: true };
    await this.shares.updateMany(others, { $set: { assigned: false } });
    if (mailboxIds.length === 0) return;
    await this.shares.updateMany(
      { workspaceId, campaignId, mailboxId: { $in: mailboxIds } },
      { $set: { assigned: true } },
    );
    const existing = await this.shares
      .find({ workspaceId, campaignId, mailboxId: { $in: mailboxIds } }, { mailboxId: 1 })
      .lean<Pick<CampaignMailboxRecord, 'mailboxId'>[]>();
    const known = new Set(existing.map(({ mailboxId }) => String(mailboxId)));
    const missing = mailboxIds.filter((id) => !known.has(id.toHexString()));
    if (missing.length > 0) {
      await this.shares.insertMany(
        missing.map((mailboxId) => ({ workspaceId, campaignId, mailboxId, assigned: true })),
      );
    }
  }

  /**
   * Returns the removed mailboxes whose leads others still write to: each costs every run a query. A removed mailbox gets no
   * new leads, so one that is dropped here is not needed later.
   */
  async listFormer(
    workspace: Workspace,
    { _id }: Pick<CampaignRecord, '_id'>,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<Types.ObjectId[]> {
    if (mailboxIds.length === 0) return [];
    return (await this.hooks.call(CAMPAIGN_HOOKS, 'writersOf', workspace, _id, mailboxIds)).flat();
  }

  /** Removes a deleted mailbox from all campaigns. */
  async dismiss({ workspaceId }: Workspace, mailboxId: string): Promise<void> {
    await this.shares.updateMany({ workspaceId, mailboxId, assigned: true }, { $set: { assigned: false } });
  }

  /** Removes the shares and figures of a deleted campaign. */
  async erase({ workspaceId }: Workspace, campaignId: Types.ObjectId): Promise<void> {
    await this.shares.deleteMany({ workspaceId, campaignId });
  }
}
