import { type WorkspaceScope } from '@domain/access';
import { type MailboxHooks, MAILBOX_HOOKS, type UsingCampaign } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Listens } from '@platform/hooks';
import { type Model } from 'mongoose';
import { CampaignMailboxesService } from './campaign-mailboxes.service';
import { CampaignRecord } from './schemas/campaign.record';

/** Reports to the mailboxes library which campaigns use a mailbox, and removes a deleted mailbox from its campaigns. */
@Injectable()
@Listens(MAILBOX_HOOKS)
export class CampaignMailboxListener implements MailboxHooks {
  constructor(
    @InjectModel(CampaignRecord.name) private readonly campaigns: Model<CampaignRecord>,
    private readonly mailboxes: CampaignMailboxesService,
  ) {}

  async activeCampaigns({ workspaceId }: WorkspaceScope, mailboxId: string): Promise<readonly UsingCampaign[]> {
    const found = await this.campaigns
      .find({ workspaceId, mailboxes: mailboxId, status: 'active' }, { name: 1 })
      .sort({ _id: 1 })
      .lean<Pick<CampaignRecord, '_id' | 'name'>[]>();
    return found.map(({ _id, name }) => ({ id: _id.toHexString(), name }));
  }

  /** An active campaign continues with its remaining mailboxes, and waits if there are none. */
  async released(workspace: WorkspaceScope, mailboxId: string): Promise<void> {
    const { workspaceId } = workspace;
    await this.campaigns.updateMany(
      { workspaceId, mailboxes: mailboxId },
      { $pull: { mailboxes: mailboxId }, $addToSet: { formerMailboxes: mailboxId }, $inc: { revision: 1 } },
    );
    await this.mailboxes.dismiss(workspace, mailboxId);
  }
}
