import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { MailboxRepository, type MailboxHooks, MAILBOX_HOOKS } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { invalidField } from '@platform/errors';
import { Listens } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import { ReportSenderService } from '../delivery/report-sender.service';
import { type ReportSettingsResponse, type UpdateReportSettingsRequest } from '../dto/report-settings.dto';
import { ReportSettingsRecord } from '../schemas/report-settings.record';

/** The sender settings of reports. */
@Injectable()
@Listens(MAILBOX_HOOKS)
export class ReportSettingsService implements MailboxHooks {
  constructor(
    @InjectModel(ReportSettingsRecord.name) private readonly settings: Model<ReportSettingsRecord>,
    private readonly senders: ReportSenderService,
    private readonly mailboxes: MailboxRepository,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  async get({ workspaceId }: WorkspaceScope): Promise<ReportSettingsResponse> {
    const stored = await this.settings.findOne({ workspaceId }).lean<ReportSettingsRecord>();
    const sender = await this.senders.find(new Types.ObjectId(workspaceId));
    return {
      mailboxId: stored?.mailboxId?.toHexString() ?? null,
      sender: sender?.kind ?? 'none',
      from: sender?.from.address ?? null,
    };
  }

  /** Sets the mailbox. Reports already in delivery keep their sender. @throws VALIDATION_ERROR naming `mailboxId` */
  async set(workspace: WorkspaceScope, { mailboxId }: UpdateReportSettingsRequest): Promise<ReportSettingsResponse> {
    const { workspaceId } = workspace;
    await this.transactions.run(async () => {
      const chosen = mailboxId === null ? null : await this.#lockMailbox(workspace, mailboxId);
      const before = await rerunOnWriteConflict(() =>
        this.settings
          .findOneAndUpdate(
            { workspaceId },
            { $set: { mailboxId: chosen } },
            { upsert: true, returnDocument: 'before' },
          )
          .lean<ReportSettingsRecord>(),
      );
      const from = before?.mailboxId?.toHexString() ?? null;
      const to = chosen?.toHexString() ?? null;
      if (from === to) return;
      const target = { type: 'workspace', id: workspaceId } as const;
      await this.audit.record(workspace, {
        action: 'report_settings.changed',
        target,
        changes: { mailboxId: { from, to } },
      });
    });
    return this.get(workspace);
  }

  /** The mailbox is deleted: the operator's server, if any, sends the reports again. */
  async released({ workspaceId }: WorkspaceScope, mailboxId: string): Promise<void> {
    await this.settings.updateOne({ workspaceId, mailboxId }, { $set: { mailboxId: null } });
  }

  /** Locks the mailbox against a concurrent deletion. */
  async #lockMailbox(workspace: WorkspaceScope, mailboxId: string): Promise<Types.ObjectId> {
    const [mailbox] = (await this.mailboxes.lockReferences(workspace, [mailboxId])).values();
    if (!mailbox) throw invalidField('mailboxId', 'mailboxId is not a mailbox of the workspace');
    return mailbox;
  }
}
