import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { type MailboxResponse } from './dto/mailbox.dto';
import { auditTarget } from './mailbox-audit';
import { requireMailbox } from './mailbox-lookup';
import { getStatus } from './mailbox-status';
import { MailboxHookRegistry } from './mailbox-hook.registry';
import { MailboxesService } from './mailboxes.service';
import { MailboxRecord } from './schemas/mailbox.record';

/** Pausing mailboxes and resuming them. */
@Injectable()
export class MailboxPausingService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly shown: MailboxesService,
    private readonly uses: MailboxHookRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Nothing is given to its server after this has returned, until it is resumed; mail is still read. Pausing again changes
   * nothing.
   * @throws NOT_FOUND
   */
  async pause(workspace: WorkspaceScope, mailboxId: string): Promise<MailboxResponse> {
    return this.#setPaused(workspace, mailboxId, this.clock.now());
  }

  /**
   * Undoes a pause, and a stop of the platform's own; a mailbox that is disconnected stays so.
   * @throws NOT_FOUND
   */
  async resume(workspace: WorkspaceScope, mailboxId: string): Promise<MailboxResponse> {
    return this.#setPaused(workspace, mailboxId, null);
  }

  async #setPaused(workspace: WorkspaceScope, mailboxId: string, pausedAt: Date | null): Promise<MailboxResponse> {
    const record = await this.transactions.run(async () => {
      const before = await requireMailbox(this.mailboxes, workspace, mailboxId);
      const wasStopped = pausedAt === null && (await this.uses.resumed(workspace, before._id.toHexString()));
      const changes = (before.pausedAt === null) !== (pausedAt === null);
      if (!changes && !wasStopped) return before;
      const action = pausedAt === null ? 'mailbox.resumed' : 'mailbox.paused';
      await this.audit.record(workspace, { action, target: auditTarget(before._id) });
      return changes ? this.#write(before, pausedAt) : before;
    });
    // Also when nothing was to be done: whoever asks again may not have got the first answer.
    return this.shown.notifyAndGet(workspace, record);
  }

  async #write({ _id, workspaceId, connection }: MailboxRecord, pausedAt: Date | null): Promise<MailboxRecord> {
    const status = getStatus(pausedAt !== null, connection.state);
    return this.mailboxes
      .findOneAndUpdate({ _id, workspaceId }, { $set: { pausedAt, status } }, { returnDocument: 'after' })
      .lean<MailboxRecord>()
      .orFail();
  }
}
