import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { LogService } from '@platform/observability';
import { addDays, getDay, startOfDay } from '@platform/time';
import { type Model, Types } from 'mongoose';
import { WarmupProgressService } from '../../config/warmup-progress.service';
import { type Warmup } from '../../config/warmup-state';
import { isWarming } from '../../config/warmup-status';
import { WarmupRepository } from '../../config/warmup.repository';
import { planDay, type PlannedThread } from '../../plan/day-plan';
import { getHours, getHoursOn } from '../../plan/working-hours';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';
import { WarmupRecord } from '../../schemas/warmup.record';
import { WarmupSendQueue } from '../sending/warmup-send.queue';
import { type WarmupPoolSnapshot, type PoolMember } from './warmup-pool-snapshot';
import { WarmupPoolService } from './warmup-pool.service';

/** Warmups that are read at once. */
const BATCH = 100;
/** The first time in the index of due warmups; null sorts before it. */
const FIRST = new Date(1);
/** Delay after a failure. */
const AFTER_A_FAULT_MS = 600_000;

/** A warmup with due work. */
export type DueWarmup = Pick<WarmupRecord, '_id' | 'workspaceId'> & { readonly nextAt: Date };

/** Delay until a mailbox without a peer, or one that cannot send, is planned again. */
const RETRY_AFTER_MS = 3_600_000;

/** The planned day of a mailbox. */
export interface DayPlanned {
  /** When its first mail is due; null when there is none. */
  readonly firstAt: Date | null;
  /** Threads of the day, including those opened before; null when no plan was made. */
  readonly threads: number | null;
}

/** Closes past days of warmups and plans the current ones. */
@Injectable()
export class WarmupPlannerService {
  constructor(
    @InjectModel(WarmupRecord.name) private readonly records: Model<WarmupRecord>,
    @InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>,
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly progress: WarmupProgressService,
    private readonly warmups: WarmupRepository,
    private readonly pool: WarmupPoolService,
    private readonly queue: WarmupSendQueue,
    private readonly log: LogService,
    private readonly clock: ClockPort,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Processes all due warmups. Closes all days before it plans any: a warmup that its last day suspends receives no mail. If
   * interrupted, the next run continues.
   */
  async run(signal: AbortSignal): Promise<void> {
    for await (const due of this.#listDue(signal)) await this.#tryFor(due, () => this.#close(due));
    const pool = this.pool.createCache();
    for await (const due of this.#listDue(signal))
      await this.#tryFor(due, async () => this.#planWarmup(due, await pool()));
  }

  /** A failed warmup must not block the others. */
  async #tryFor(due: DueWarmup, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return this.#release(due);
      this.log.error('The day of a warmup could not be planned', error, { mailboxId: due._id.toHexString() });
      await this.#postpone(due);
    }
  }

  async #close({ _id, workspaceId }: DueWarmup): Promise<void> {
    await this.progress.closeDays(workspaceId.toHexString(), _id.toHexString());
  }

  async #planWarmup(due: DueWarmup, pool: WarmupPoolSnapshot): Promise<void> {
    const { _id: mailboxId, workspaceId } = due;
    const warmup = await this.warmups.find({ workspaceId: workspaceId.toHexString() }, mailboxId.toHexString());
    if (!isWarming(warmup.state.status)) return this.#release(due);
    const { firstAt, threads } = await this.#planDay(warmup, pool);
    if (threads !== null) await this.warmups.writePlannedThreads(warmup, threads);
    if (firstAt) await this.queue.enqueue([{ workspaceId, mailboxId, dueAt: firstAt }]);
  }

  /** Lists the due warmups of all workspaces, the longest due first, in pages. Each is returned once, whatever its result. */
  async *#listDue(signal: AbortSignal): AsyncGenerator<DueWarmup> {
    const now = this.clock.now();
    let last: DueWarmup | undefined;
    do {
      const beyond = last ? { $or: [{ nextAt: { $gt: last.nextAt } }, { _id: { $gt: last._id } }] } : {};
      const page: DueWarmup[] = await this.records
        .find({ nextAt: { $gte: last?.nextAt ?? FIRST, $lte: now }, ...beyond }, { workspaceId: 1, nextAt: 1 })
        .setOptions({ allWorkspaces: 'the worker plans the warmup of all workspaces' })
        .sort({ nextAt: 1, _id: 1 })
        .limit(BATCH)
        .lean<DueWarmup[]>();
      for (const due of page) {
        if (signal.aborted) return;
        yield due;
      }
      last = page.length < BATCH ? undefined : page.at(-1);
    } while (last);
  }

  /** Nothing is left to do. */
  async #release(due: DueWarmup): Promise<void> {
    await this.#setNextAt(due, null);
  }

  /** A failed warmup is retried after the others. */
  async #postpone(due: DueWarmup): Promise<void> {
    await this.#setNextAt(due, this.clock.in(AFTER_A_FAULT_MS));
  }

  /** Does nothing if another worker has changed it. */
  async #setNextAt({ _id, workspaceId, nextAt: previousNextAt }: DueWarmup, nextAt: Date | null): Promise<void> {
    await this.records.updateOne({ _id, workspaceId, nextAt: previousNextAt }, { $set: { nextAt } });
  }

  /**
   * Plans the remaining part of the current day, once. Without a peer, or while the mailbox cannot send, planning is retried
   * later in the day.
   * @param pool records what is planned
   */
  async #planDay(warmup: Warmup, pool: WarmupPoolSnapshot): Promise<DayPlanned> {
    const { mailbox, state } = warmup;
    const now = this.clock.now();
    const hours = getHours(state.config, mailbox.timezone);
    const date = getDay(now, hours.timezone);
    const tomorrow = startOfDay(addDays(date, 1), hours.timezone);
    const span = getHoursOn(date, hours);
    const isOver = span === null || now.getTime() >= span.to;
    if (state.plannedDay === date || isOver) {
      await this.#writePlan(warmup, { nextAt: tomorrow, plannedDay: date }, []);
      return { firstAt: null, threads: null };
    }
    const self = pool.find(mailbox._id.toHexString());
    const begun = await this.#countBegun({ workspaceId: mailbox.workspaceId, mailboxId: mailbox._id }, date);
    const plan = self ? await this.#planThreads(warmup, pool, { self, date, now, begun }) : [];
    const threads = begun + plan.length;
    if (threads === 0) {
      const again = new Date(Math.min(now.getTime() + RETRY_AFTER_MS, tomorrow.getTime()));
      await this.#writePlan(warmup, { nextAt: again, plannedDay: state.plannedDay }, []);
      return { firstAt: null, threads };
    }
    const isWritten = await this.#writePlan(warmup, { nextAt: tomorrow, plannedDay: date }, plan, pool);
    if (!isWritten) return { firstAt: null, threads: null };
    for (const { to } of plan) pool.add(to, date);
    return { firstAt: plan[0]?.at ?? null, threads };
  }

  async #planThreads(
    { mailbox, state }: Warmup,
    pool: WarmupPoolSnapshot,
    { self, date, now, begun }: { self: PoolMember; date: string; now: Date; begun: number },
  ): Promise<PlannedThread[]> {
    const of = { workspaceId: mailbox.workspaceId, mailboxId: mailbox._id };
    await this.pool.learn(pool, date);
    const history = await this.pool.getHistory(of, date);
    const candidates = pool.listCandidates(self, date);
    return planDay({
      mailbox: {
        id: self.id,
        languages: state.config.languages,
        hours: getHours(state.config, mailbox.timezone),
        gapSeconds: mailbox.sendGapSeconds,
      },
      date,
      volume: state.currentVolume,
      peers: candidates.map((member) => ({ ...member, incoming: pool.countIncoming(member.id, date) })),
      history,
      notBefore: now,
      begun,
      // Another run of the same mailbox gets other texts.
      seed: state.startedAt?.toISOString() ?? '',
    });
  }

  /** Used ordinals of the day: cancelled threads may have left gaps. */
  async #countBegun(of: { workspaceId: Types.ObjectId; mailboxId: Types.ObjectId }, day: string): Promise<number> {
    const last = await this.threads
      .findOne({ ...of, day }, { ordinal: 1 })
      .sort({ ordinal: -1 })
      .lean<Pick<WarmupThreadRecord, 'ordinal'>>();
    return last ? last.ordinal + 1 : 0;
  }

  /** Writes the plan. Returns false when the warmup has changed since it was read; it then stays due. */
  async #writePlan(
    { mailbox, state }: Warmup,
    next: Pick<WarmupRecord, 'nextAt' | 'plannedDay'>,
    plan: readonly PlannedThread[],
    pool?: WarmupPoolSnapshot,
  ): Promise<boolean> {
    const { _id, workspaceId } = mailbox;
    const { revision, plannedDay } = state;
    const rows = plan.flatMap((planned) => toRows({ workspaceId, mailboxId: _id }, next.plannedDay, planned, pool));
    return this.transactions.run(async () => {
      const { matchedCount } = await this.records.updateOne({ _id, workspaceId, revision, plannedDay }, { $set: next });
      if (matchedCount === 0) return false;
      if (rows.length > 0) {
        await this.threads.insertMany(rows.map(({ thread }) => thread));
        await this.mails.insertMany(rows.map(({ mail }) => mail));
      }
      return true;
    });
  }
}

/** The thread and its first mail. */
function toRows(
  sender: { workspaceId: Types.ObjectId; mailboxId: Types.ObjectId },
  day: string,
  { ordinal, at, to, language, seed }: PlannedThread,
  pool: WarmupPoolSnapshot | undefined,
) {
  const peer = pool?.find(to);
  if (!peer) return [];
  const [threadId, _id] = [new Types.ObjectId(), new Types.ObjectId()];
  const counterpart = { workspaceId: new Types.ObjectId(peer.workspaceId), mailboxId: new Types.ObjectId(to) };
  const thread = { _id: threadId, ...sender, counterpart, day, ordinal, language, seed };
  const of = { ...sender, counterpart, threadId, day };
  const mail = {
    _id,
    mailId: _id,
    ...of,
    direction: 'sent' as const,
    position: 0,
    state: 'planned' as const,
    plannedFor: at,
    dueAt: at,
  };
  return [{ thread, mail }];
}
