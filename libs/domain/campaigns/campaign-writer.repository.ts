import { type WorkspaceScope } from '@domain/access';
import { type AuditedAct, AuditService } from '@domain/audit';
import { SendWithholdingRepository, MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { writeConflict } from '@platform/database';
import { type Model } from 'mongoose';
import { auditedChanges, auditTarget } from './campaign-audit';
import { findCampaign } from './campaign-lookup';
import { CampaignRecord } from './schemas/campaign.record';

/** The one way to change a campaign: `write` in the transaction, `tell` after it. Inside this library only. */
@Injectable()
export class CampaignWriterRepository {
  constructor(
    @InjectModel(CampaignRecord.name) private readonly campaigns: Model<CampaignRecord>,
    private readonly audit: AuditService,
    private readonly turns: MailboxLeaseService,
    private readonly withholding: SendWithholdingRepository,
    private readonly clock: ClockPort,
  ) {}

  /** @throws NOT_FOUND */
  find(workspace: Pick<WorkspaceScope, 'workspaceId'>, campaignId: string): Promise<CampaignRecord> {
    return findCampaign(this.campaigns, workspace, campaignId);
  }

  /**
   * Writes the changes if nobody changed the campaign since it was read, otherwise the transaction is run again. The
   * revision grows; an active campaign's mailboxes have a turn to look at what is new. Nothing to change is nothing done.
   */
  async write(
    workspace: WorkspaceScope,
    before: CampaignRecord,
    changes: Partial<CampaignRecord>,
    action: AuditedAct['action'],
  ): Promise<CampaignRecord> {
    if (Object.keys(changes).length === 0) return before;
    const { _id, workspaceId, revision } = before;
    const after = await this.campaigns
      .findOneAndUpdate(
        { _id, workspaceId, revision, deletedAt: null },
        { $set: changes, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      )
      .lean<CampaignRecord>();
    if (!after) throw writeConflict('The campaign');
    await this.audit.record(workspace, { action, target: auditTarget(_id), changes: auditedChanges(before, after) });
    if (after.status === 'active') {
      await this.turns.schedule(workspace.workspaceId, sendersOf(after), this.clock.now());
    }
    return after;
  }

  /**
   * What follows from a change, before it is acknowledged: what is on its way from where it may no longer come is held
   * back, and mailboxes that have something to do are told.
   */
  async notify({ workspaceId }: WorkspaceScope, before: CampaignRecord, after: CampaignRecord): Promise<void> {
    const campaignId = after._id.toHexString();
    if (before.status === 'active' && after.status !== 'active') {
      await this.withholding.withhold(workspaceId, { campaignId }, `campaign ${after.status}`);
    }
    if (after.status !== 'active') return;
    const stay = new Set(sendersOf(after));
    for (const mailboxId of sendersOf(before).filter((id) => !stay.has(id))) {
      await this.withholding.withhold(workspaceId, { campaignId, mailboxId }, 'mailbox taken out of the campaign');
    }
    if (before.revision !== after.revision) await this.turns.enqueue(workspaceId, [...stay]);
  }
}

function sendersOf({ mailboxes }: CampaignRecord): string[] {
  return mailboxes.map((id) => id.toHexString());
}
