import { type WorkspaceScope } from '@domain/access';
import { type MailboxHooks, MailboxHookRegistry } from '@domain/mailboxes';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { AppError } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { WarmupDayRecord } from '../schemas/warmup-day.record';
import { WarmupMailRecord } from '../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../schemas/warmup-thread.record';
import { WarmupRecord } from '../schemas/warmup.record';
import { isWarming } from './warmup-status';
import { WarmupUpdatesService } from './warmup-updates.service';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;
type OfMailbox = WarmupMailRecord | WarmupThreadRecord | WarmupDayRecord;

/** Records that are erased at once. */
const BATCH = 1_000;

/** Warmup follows what happens to a mailbox: its share of another limit, and its end. */
@Injectable()
export class WarmupMailboxListener implements Partial<MailboxHooks>, OnModuleInit {
  constructor(
    @InjectModel(WarmupRecord.name) private readonly warmups: Model<WarmupRecord>,
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    @InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>,
    @InjectModel(WarmupDayRecord.name) private readonly days: Model<WarmupDayRecord>,
    private readonly updates: WarmupUpdatesService,
    private readonly uses: MailboxHookRegistry,
  ) {}

  onModuleInit(): void {
    this.uses.register(this);
  }

  async changed(workspace: Workspace, mailboxId: string): Promise<void> {
    const { workspaceId } = workspace;
    const stored = await this.warmups
      .findOne({ workspaceId, _id: mailboxId }, { status: 1 })
      .lean<Pick<WarmupRecord, 'status'>>();
    if (!stored || !isWarming(stored.status)) return;
    try {
      await this.updates.limitChanged(workspace, mailboxId);
    } catch (error) {
      // It was deleted in that moment.
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }

  /** From here on nobody finds it among those that can be written to. */
  async released({ workspaceId }: WorkspaceScope, mailboxId: string): Promise<void> {
    await this.warmups.deleteOne({ workspaceId, _id: mailboxId });
  }

  /** Its own sides of its mails, its threads and figures; what others have of it names it by its id only. */
  async erase({ workspaceId }: Workspace, mailboxId: string, signal: AbortSignal): Promise<void> {
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
