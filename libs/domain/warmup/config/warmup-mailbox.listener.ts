import { type WorkspaceScope } from '@domain/access';
import { type MailboxHooks, MAILBOX_HOOKS } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { AppError } from '@platform/errors';
import { Listens } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import { WarmupDayRecord } from '../schemas/warmup-day.record';
import { WarmupMailRecord } from '../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../schemas/warmup-thread.record';
import { WarmupRecord } from '../schemas/warmup.record';
import { isWarming } from './warmup-status';
import { WarmupsService } from './warmups.service';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;
type OfMailbox = WarmupMailRecord | WarmupThreadRecord | WarmupDayRecord;

/** Records that are erased at once. */
const BATCH = 1_000;

/** Adapts a warmup to its mailbox: recalculates the volume after a change of the limit, and erases it with the mailbox. */
@Injectable()
@Listens(MAILBOX_HOOKS)
export class WarmupMailboxListener implements MailboxHooks {
  constructor(
    @InjectModel(WarmupRecord.name) private readonly records: Model<WarmupRecord>,
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    @InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>,
    @InjectModel(WarmupDayRecord.name) private readonly days: Model<WarmupDayRecord>,
    private readonly warmups: WarmupsService,
  ) {}

  async changed(workspace: Workspace, mailboxId: string): Promise<void> {
    const { workspaceId } = workspace;
    const stored = await this.records
      .findOne({ workspaceId, _id: mailboxId }, { status: 1 })
      .lean<Pick<WarmupRecord, 'status'>>();
    if (!stored || !isWarming(stored.status)) return;
    try {
      await this.warmups.limitChanged(workspace, mailboxId);
    } catch (error) {
      // The mailbox was deleted in the meantime.
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }

  /** Removes the mailbox from the pool. */
  async released({ workspaceId }: WorkspaceScope, mailboxId: string): Promise<void> {
    await this.records.deleteOne({ workspaceId, _id: mailboxId });
  }

  /** Erases the mailbox's own side of its mails, its threads and figures. Records of other mailboxes hold only its id. */
  async eraseMailbox({ workspaceId }: Workspace, mailboxId: string, signal: AbortSignal): Promise<void> {
    const mailbox = { workspaceId: new Types.ObjectId(workspaceId), mailboxId: new Types.ObjectId(mailboxId) };
    await eraseAll(this.mails, mailbox, signal);
    await eraseAll(this.threads, mailbox, signal);
    await eraseAll(this.days, mailbox, signal);
  }
}

async function eraseAll<R extends OfMailbox>(
  records: Model<R>,
  mailbox: Pick<OfMailbox, 'workspaceId' | 'mailboxId'>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const batch = await records
      .find(mailbox as never, { _id: 1 })
      .limit(BATCH)
      .lean<Pick<R, '_id'>[]>();
    if (batch.length === 0) return;
    await records.deleteMany({ ...mailbox, _id: { $in: batch.map(({ _id }) => _id) } } as never);
  }
}
