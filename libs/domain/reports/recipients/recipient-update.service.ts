import { isDeepStrictEqual } from 'node:util';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { WITHHELD } from '../delivery/report-decision';
import { ReportWithholdingListener } from '../delivery/report-withholding.listener';
import { type ReportRecipientResponse, toReportRecipient } from '../dto/report-recipient.dto';
import { type UpdateReportRecipientRequest } from '../dto/report-recipient-requests.dto';
import { addressTaken } from '../report.errors';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { auditedChanges, auditTarget } from './recipient-audit';
import { RecipientCampaignsListener } from './recipient-campaigns.listener';
import { requireRecipient, getSettings } from './recipient-lookup';
import {
  toChangedSettings,
  getProgress,
  changesSchedule,
  getNextReportAt,
  type RecipientSettings,
} from './recipient-settings';

/** Changing a recipient, switching it off and on. */
@Injectable()
export class RecipientUpdateService {
  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    private readonly campaigns: RecipientCampaignsListener,
    private readonly withholding: ReportWithholdingListener,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Changes what is given and leaves the rest. What was planned for an address that is given up, or for somebody who is switched off, is
   * withheld when this returns.
   * @throws NOT_FOUND, VALIDATION_ERROR naming `campaignIds`, CONFLICT for an address that another recipient has
   */
  async update(
    workspace: WorkspaceScope,
    recipientId: string,
    input: UpdateReportRecipientRequest,
  ): Promise<ReportRecipientResponse> {
    return this.transactions.run(async () => {
      const before = await requireRecipient(this.recipients, workspace, recipientId);
      const settings = toChangedSettings(getSettings(before), input);
      if (settings.email !== before.email) await this.#claim(workspace, settings.email);
      const after = await this.#write(workspace, before, settings);
      const changes = auditedChanges(before, after);
      const target = auditTarget(before._id);
      if (after !== before) await this.audit.record(workspace, { action: 'report_recipient.updated', target, changes });
      return toReportRecipient(after);
    });
  }

  /** The same whoever switches it off, its reader included; joins the running transaction. False when it was off already. */
  async deactivate(workspace: WorkspaceScope, recipientId: string): Promise<boolean> {
    const before = await requireRecipient(this.recipients, workspace, recipientId);
    const after = await this.#write(workspace, before, { ...getSettings(before), active: false });
    if (after === before) return false;
    const changes = auditedChanges(before, after);
    await this.audit.record(workspace, {
      action: 'report_recipient.stopped',
      target: auditTarget(before._id),
      changes,
    });
    return true;
  }

  /** The record itself when nothing differs. */
  async #write(
    workspace: WorkspaceScope,
    before: ReportRecipientRecord,
    settings: RecipientSettings,
  ): Promise<ReportRecipientRecord> {
    const former = getSettings(before);
    if (isDeepStrictEqual(former, settings)) return before;
    const hasSameCampaigns = former.campaignIds.join() === settings.campaignIds.join();
    const campaignIds = hasSameCampaigns
      ? before.campaignIds
      : await this.campaigns.require(workspace, settings.campaignIds);
    const now = this.clock.now();
    const moved = changesSchedule(former, settings) && {
      nextScheduledAt: getNextReportAt(
        settings,
        getProgress(former.schedule, before.lastPeriod, before.nextScheduledAt, now),
        now,
      ),
    };
    const { _id, workspaceId } = before;
    const after = await this.recipients
      .findOneAndUpdate(
        { _id, workspaceId },
        { $set: { ...settings, campaignIds, ...moved } },
        { returnDocument: 'after' },
      )
      .lean<ReportRecipientRecord>()
      .orFail();
    if (after.email !== before.email) await this.withholding.withholdForRecipient(before, WITHHELD.moved);
    if (before.active && !after.active) await this.withholding.withholdForRecipient(before, WITHHELD.inactive);
    if (former.schedule.enabled && !after.schedule.enabled) {
      await this.withholding.withholdForRecipient(before, WITHHELD.unscheduled, 'schedule');
    }
    return after;
  }

  async #claim({ workspaceId }: WorkspaceScope, email: string): Promise<void> {
    await this.limits.claim(workspaceId);
    if (await this.recipients.exists({ workspaceId, email })) throw addressTaken();
  }
}
