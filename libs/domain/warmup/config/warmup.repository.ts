import { type WorkspaceScope } from '@domain/access';
import { MAILBOX_HOOKS, MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { HookRegistry } from '@platform/hooks';
import { type Model, type Types } from 'mongoose';
import { WARMUP_FIGURES, WarmupDayRecord, type WarmupFigures } from '../schemas/warmup-day.record';
import { WarmupRecord } from '../schemas/warmup.record';
import { toMailboxWarmup, createState, type Warmup, type WarmupState } from './warmup-state';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

interface MailboxDay {
  readonly workspaceId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId;
  /** YYYY-MM-DD in the warmup's time zone. */
  readonly day: string;
}

/** Stored warmups with their daily figures, and the copy of their state in the mailbox. */
@Injectable()
export class WarmupRepository {
  constructor(
    @InjectModel(WarmupRecord.name) private readonly warmups: Model<WarmupRecord>,
    @InjectModel(WarmupDayRecord.name) private readonly days: Model<WarmupDayRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly hooks: HookRegistry,
    private readonly transactions: TransactionService,
  ) {}

  /** Every mailbox has a warmup. @throws NOT_FOUND for an unknown mailbox */
  async find(workspace: Workspace, mailboxId: string): Promise<Warmup> {
    const mailbox = await this.mailboxes.require(workspace, mailboxId);
    const { _id, workspaceId } = mailbox;
    const stored = await this.warmups.findOne({ _id, workspaceId }, { createdAt: 0, updatedAt: 0 }).lean<WarmupState>();
    return { mailbox, state: stored ?? createState(mailbox) };
  }

  /**
   * Stores the changes and updates the mailbox. Joins the running transaction, which has read the warmup.
   * @throws NOT_FOUND for a deleted mailbox
   */
  async write({ mailbox, state }: Warmup, changes: Partial<WarmupState>): Promise<Warmup> {
    const { _id, workspaceId } = mailbox;
    const { revision, ...after } = { ...state, ...changes };
    const written = { mailbox, state: { ...after, revision: revision + 1 } };
    await rerunOnWriteConflict(() =>
      this.warmups.updateOne({ _id, workspaceId }, { $set: omitKeys(after), $inc: { revision: 1 } }, { upsert: true }),
    );
    await this.mailboxes.writeWarmup({ workspaceId: workspaceId.toHexString() }, _id, toMailboxWarmup(written));
    return written;
  }

  /**
   * Stores the number of threads that today allows. Campaigns may use the part of the mailbox's limit that these threads do not
   * need.
   */
  async writePlannedThreads({ mailbox, state }: Warmup, plannedThreads: number): Promise<void> {
    const { _id, workspaceId } = mailbox;
    const { revision } = state;
    if (state.plannedThreads === plannedThreads) return;
    const workspace = { workspaceId: workspaceId.toHexString() };
    const isNoted = await this.transactions.run(async () => {
      const { matchedCount } = await this.warmups.updateOne(
        { _id, workspaceId, revision },
        { $set: { plannedThreads } },
      );
      if (matchedCount === 0) return false;
      await this.mailboxes.writeWarmup(
        workspace,
        _id,
        toMailboxWarmup({ mailbox, state: { ...state, plannedThreads } }),
      );
      return true;
    });
    if (isNoted) await this.hooks.call(MAILBOX_HOOKS, 'changed', workspace, _id.toHexString());
  }

  /** Adds to the figures of a day. Joins the running transaction. */
  async count({ workspaceId, mailboxId, day }: MailboxDay, figures: Partial<WarmupFigures>): Promise<void> {
    await rerunOnWriteConflict(() =>
      this.days.updateOne({ workspaceId, mailboxId, day }, { $inc: figures }, { upsert: true }),
    );
  }

  /** Returns the figures of a day; each is 0 when nothing has happened. */
  async getFigures({ workspaceId, mailboxId, day }: MailboxDay): Promise<WarmupFigures> {
    const stored = await this.days.findOne({ workspaceId, mailboxId, day }).lean<Partial<WarmupFigures>>();
    const figures = WARMUP_FIGURES.map((figure) => [figure, stored?.[figure] ?? 0] as const);
    return Object.fromEntries(figures) as WarmupFigures;
  }
}

/** Omits the keys that the filter of the update names. */
function omitKeys({ _id, workspaceId: _workspaceId, ...fields }: Omit<WarmupState, 'revision'>) {
  return fields;
}
