import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId } from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type Model } from 'mongoose';
import { MailboxTrialService } from './mailbox-trial.service';
import { type CheckMailbox, MailboxCheckQueue } from './mailbox-check.queue';
import { MailboxConnectionService } from './mailbox-connection.service';
import { MailboxRecord } from './schemas/mailbox.record';

/** Mailboxes that one sweep looks at, those due for longest first; the next one goes on. */
const SWEEP_AT_MOST = 500;
/** By how much the clocks of two machines may differ before a job that comes early is sent away. */
const CLOCK_TOLERANCE_MS = 5_000;
/** How often it is looked whether a deleted workspace was restored. */
const DELETED_RETRY_MS = 60 * 60_000;

/** Tries mailboxes that are out of order again, so that they heal by themselves. */
@Injectable()
export class MailboxCheckService implements Sweep {
  readonly name = 'mailbox-check';

  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly trial: MailboxTrialService,
    private readonly connections: MailboxConnectionService,
    private readonly queue: MailboxCheckQueue,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
  ) {}

  /** Logs in to both halves and reports how it went. Does nothing for a mailbox that is gone, well, or not due. */
  async check({ workspaceId, mailboxId }: CheckMailbox, signal?: AbortSignal): Promise<void> {
    const mailbox = await this.#due(workspaceId, mailboxId);
    if (!mailbox) return;
    const alive = await this.workspaces.filterAlive([workspaceId]);
    if (!alive.has(workspaceId)) return this.#postpone(mailbox);
    const atWork = { workspaceId, mailboxId, revision: mailbox.credentialsRevision };
    const failed = await this.trial.failureOf(mailbox, signal);
    signal?.throwIfAborted();
    if (failed) await this.connections.failed(atWork, failed.failure, failed.half);
    else await this.connections.succeeded(atWork, 'both');
  }

  /** Gives every mailbox that is due and has no job its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    const due = await this.mailboxes
      .find(
        { 'connection.nextCheckAt': { $gt: new Date(0), $lte: this.clock.now() } },
        { workspaceId: 1, connection: 1 },
      )
      .setOptions({ allWorkspaces: 'the worker looks after the mailboxes of all workspaces' })
      .sort({ 'connection.nextCheckAt': 1 })
      .limit(SWEEP_AT_MOST)
      .lean();
    let created = 0;
    for (const { _id, workspaceId, connection } of due) {
      const mailbox = { workspaceId: workspaceId.toHexString(), mailboxId: _id.toHexString() };
      if (connection.nextCheckAt && (await this.queue.planIfMissing(mailbox, connection.nextCheckAt))) created += 1;
    }
    return created;
  }

  async #due(workspaceId: string, mailboxId: string): Promise<MailboxRecord | null> {
    const _id = parseId(mailboxId);
    if (!_id) return null;
    const dueBy = this.clock.in(CLOCK_TOLERANCE_MS);
    // A mailbox that is well has null there, which is not less than any date.
    const where = { _id, workspaceId, 'connection.nextCheckAt': { $gt: new Date(0), $lte: dueBy } };
    return this.mailboxes.findOne(where).lean<MailboxRecord>();
  }

  /** Nobody logs in for a workspace that was deleted; it may be restored. */
  async #postpone({ _id, workspaceId, connection: { nextCheckAt } }: MailboxRecord): Promise<void> {
    await this.mailboxes.updateOne(
      { _id, workspaceId, 'connection.nextCheckAt': nextCheckAt },
      { $set: { 'connection.nextCheckAt': this.clock.in(DELETED_RETRY_MS) } },
    );
  }
}
