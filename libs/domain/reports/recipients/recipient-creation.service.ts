import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { KeyedMutex } from '@platform/concurrency';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { type ReportRecipientResponse, toReportRecipient } from '../dto/report-recipient.dto';
import { type CreateReportRecipientRequest } from '../dto/report-recipient-requests.dto';
import { addressTaken, tooManyRecipients } from '../report.errors';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { auditedChanges, auditTarget } from './recipient-audit';
import { RecipientCampaignsListener } from './recipient-campaigns.listener';
import { toNewSettings, getNextReportAt } from './recipient-settings';

/** Recipients that a workspace may have. */
export const MAX_RECIPIENTS = 200;

/** How recipients of reports come to be. */
@Injectable()
export class RecipientCreationService {
  readonly #mutex = new KeyedMutex();

  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    private readonly campaigns: RecipientCampaignsListener,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * The first report is the next one that is due from now on.
   * @throws VALIDATION_ERROR naming `campaignIds`, CONFLICT for an address that has one, LIMIT_EXCEEDED
   */
  async create(workspace: WorkspaceScope, input: CreateReportRecipientRequest): Promise<ReportRecipientResponse> {
    const settings = toNewSettings(input);
    const { workspaceId } = workspace;
    // They would meet at the workspace, each undoing the others, and many at once would give up after ten seconds of it.
    const record = await this.#mutex.run(workspaceId, () => this.#insert(workspace, settings));
    return toReportRecipient(record);
  }

  #insert(workspace: WorkspaceScope, settings: ReturnType<typeof toNewSettings>): Promise<ReportRecipientRecord> {
    return this.transactions.run(async () => {
      const { workspaceId } = workspace;
      // The workspace is claimed: of two who race for the last place, or for an address, one is run again and sees the other.
      await this.limits.claim(workspaceId);
      if ((await this.recipients.countDocuments({ workspaceId })) >= MAX_RECIPIENTS) {
        throw tooManyRecipients(MAX_RECIPIENTS);
      }
      if (await this.recipients.exists({ workspaceId, email: settings.email })) throw addressTaken();
      const campaignIds = await this.campaigns.require(workspace, settings.campaignIds);
      const nextScheduledAt = getNextReportAt(settings, { begun: null, owed: null }, this.clock.now());
      const _id = new Types.ObjectId();
      const created = await this.recipients.create({ _id, workspaceId, ...settings, campaignIds, nextScheduledAt });
      const stored = created.toObject<ReportRecipientRecord>();
      const changes = auditedChanges(null, stored);
      await this.audit.record(workspace, { action: 'report_recipient.created', target: auditTarget(_id), changes });
      return stored;
    });
  }
}
