import { isDeepStrictEqual } from 'node:util';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { CampaignRepository } from '@domain/campaigns';
import { type MessageResponse, WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { KeyedMutex } from '@platform/concurrency';
import { type Page, PageService, searchFilter, TransactionService } from '@platform/database';
import { type PageQuery, type SearchPageQuery } from '@platform/validation';
import { type Model, Types } from 'mongoose';
import { WITHHELD } from '../delivery/report-decision';
import { ReportWithholdingListener } from '../delivery/report-withholding.listener';
import {
  type CreateReportRecipientRequest,
  type UpdateReportRecipientRequest,
} from '../dto/report-recipient-requests.dto';
import { type ReportRecipientResponse, toReportRecipient } from '../dto/report-recipient.dto';
import { type ReportResponse, toReport } from '../dto/report.dto';
import { addressTaken, tooManyRecipients } from '../report.errors';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { ReportRecord } from '../schemas/report.record';
import { getAuditedRecipientChanges, toRecipientTarget } from './recipient-audit';
import { requireCampaigns } from './recipient-campaigns';
import { getSettings, requireRecipient } from './recipient-lookup';
import {
  changesSchedule,
  getNextReportAt,
  getReportProgress,
  type RecipientSettings,
  toChangedSettings,
  toNewSettings,
} from './recipient-settings';

/** Recipients that a workspace may have. */
export const MAX_RECIPIENTS = 200;

/** Recipients of reports, and the reports to each. */
@Injectable()
export class ReportRecipientsService {
  readonly #mutex = new KeyedMutex();

  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    @InjectModel(ReportRecord.name) private readonly reports: Model<ReportRecord>,
    private readonly pages: PageService,
    private readonly campaigns: CampaignRepository,
    private readonly withholding: ReportWithholdingListener,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Newest first; `search` matches name, address and company. */
  async list(workspace: WorkspaceScope, query: SearchPageQuery): Promise<Page<ReportRecipientResponse>> {
    const { workspaceId } = workspace;
    const { limit, cursor, search } = query;
    const filter = { workspaceId, ...searchFilter(search, ['name', 'email', 'company']) };
    return this.pages.read(this.recipients, { scope: workspaceId, filter, page: { limit, cursor } }, toReportRecipient);
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, recipientId: string): Promise<ReportRecipientResponse> {
    return toReportRecipient(await requireRecipient(this.recipients, workspace, recipientId));
  }

  /** Sent and planned reports of the last 400 days, newest first. @throws NOT_FOUND */
  async listReports(
    workspace: WorkspaceScope,
    recipientId: string,
    { limit, cursor }: PageQuery,
  ): Promise<Page<ReportResponse>> {
    const { _id } = await requireRecipient(this.recipients, workspace, recipientId);
    const { workspaceId } = workspace;
    const filter = { workspaceId, recipientId: _id };
    return this.pages.read(this.reports, { scope: workspaceId, filter, page: { limit, cursor } }, toReport);
  }

  /**
   * Creates a recipient. Its first report is the next one due from now on.
   * @throws VALIDATION_ERROR naming `campaignIds`, CONFLICT for an address that has one, LIMIT_EXCEEDED
   */
  async create(workspace: WorkspaceScope, input: CreateReportRecipientRequest): Promise<ReportRecipientResponse> {
    const settings = toNewSettings(input);
    const { workspaceId } = workspace;
    // Concurrent creations conflict on the workspace record; without the mutex many of them would time out.
    const record = await this.#mutex.run(workspaceId, () => this.#insert(workspace, settings));
    return toReportRecipient(record);
  }

  /**
   * Changes the given fields. Planned reports to a replaced address or to a deactivated recipient are withheld before the
   * return.
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
      if (settings.email !== before.email) await this.#claimAddress(workspace, settings.email);
      const after = await this.#write(workspace, before, settings);
      const changes = getAuditedRecipientChanges(before, after);
      const target = toRecipientTarget(before._id);
      if (after !== before) await this.audit.record(workspace, { action: 'report_recipient.updated', target, changes });
      return toReportRecipient(after);
    });
  }

  /** Deactivates the recipient, for the API and for its reader; joins the running transaction. False without a change. */
  async deactivate(workspace: WorkspaceScope, recipientId: string): Promise<boolean> {
    const before = await requireRecipient(this.recipients, workspace, recipientId);
    const after = await this.#write(workspace, before, { ...getSettings(before), active: false });
    if (after === before) return false;
    const changes = getAuditedRecipientChanges(before, after);
    await this.audit.record(workspace, {
      action: 'report_recipient.stopped',
      target: toRecipientTarget(before._id),
      changes,
    });
    return true;
  }

  /** Deletes the recipient and the records of its reports. @throws NOT_FOUND */
  async delete(workspace: WorkspaceScope, recipientId: string): Promise<MessageResponse> {
    await this.transactions.run(async () => {
      const record = await requireRecipient(this.recipients, workspace, recipientId);
      const { _id, workspaceId } = record;
      await this.recipients.deleteOne({ _id, workspaceId });
      await this.reports.deleteMany({ workspaceId, recipientId: _id });
      const changes = getAuditedRecipientChanges(record, null);
      await this.audit.record(workspace, {
        action: 'report_recipient.deleted',
        target: toRecipientTarget(_id),
        changes,
      });
    });
    return { message: 'Report recipient deleted' };
  }

  #insert(workspace: WorkspaceScope, settings: ReturnType<typeof toNewSettings>): Promise<ReportRecipientRecord> {
    return this.transactions.run(async () => {
      const { workspaceId } = workspace;
      // Claims the workspace: of two concurrent creations one runs again and sees the other.
      await this.limits.claim(workspaceId);
      if ((await this.recipients.countDocuments({ workspaceId })) >= MAX_RECIPIENTS) {
        throw tooManyRecipients(MAX_RECIPIENTS);
      }
      if (await this.recipients.exists({ workspaceId, email: settings.email })) throw addressTaken();
      const campaignIds = await requireCampaigns(this.campaigns, workspace, settings.campaignIds);
      const nextScheduledAt = getNextReportAt(settings, { begun: null, owed: null }, this.clock.now());
      const _id = new Types.ObjectId();
      const created = await this.recipients.create({ _id, workspaceId, ...settings, campaignIds, nextScheduledAt });
      const stored = created.toObject<ReportRecipientRecord>();
      const changes = getAuditedRecipientChanges(null, stored);
      await this.audit.record(workspace, {
        action: 'report_recipient.created',
        target: toRecipientTarget(_id),
        changes,
      });
      return stored;
    });
  }

  /** Returns `before` itself when nothing differs. */
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
      : await requireCampaigns(this.campaigns, workspace, settings.campaignIds);
    const now = this.clock.now();
    const rescheduled = changesSchedule(former, settings) && {
      nextScheduledAt: getNextReportAt(
        settings,
        getReportProgress(former.schedule, before.lastPeriod, before.nextScheduledAt, now),
        now,
      ),
    };
    const { _id, workspaceId } = before;
    const after = await this.recipients
      .findOneAndUpdate(
        { _id, workspaceId },
        { $set: { ...settings, campaignIds, ...rescheduled } },
        { returnDocument: 'after' },
      )
      .lean<ReportRecipientRecord>()
      .orFail();
    if (after.email !== before.email) await this.withholding.withholdForRecipient(before, WITHHELD.addressChanged);
    if (before.active && !after.active) await this.withholding.withholdForRecipient(before, WITHHELD.inactive);
    if (former.schedule.enabled && !after.schedule.enabled) {
      await this.withholding.withholdForRecipient(before, WITHHELD.unscheduled, 'schedule');
    }
    return after;
  }

  async #claimAddress({ workspaceId }: WorkspaceScope, email: string): Promise<void> {
    await this.limits.claim(workspaceId);
    if (await this.recipients.exists({ workspaceId, email })) throw addressTaken();
  }
}
