import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { addDays, getDay, startOfDay } from '@platform/time';
import { type Model, Types } from 'mongoose';
import { type Warmup } from '../../config/warmup-state';
import { planDay, type PlannedThread } from '../../plan/day-plan';
import { getHours, hoursOn } from '../../plan/working-hours';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';
import { WarmupRecord } from '../../schemas/warmup.record';
import { PairHistoriesService } from './pair-histories.service';
import { type WarmupPoolSnapshot, type PoolMember } from './warmup-pool-snapshot';
import { WarmupPoolService } from './warmup-pool.service';

/** A mailbox that nobody could be found for, or that cannot send, is looked at again after so long. */
const RETRY_AFTER_MS = 3_600_000;

/** The day of a mailbox as it was planned. */
export interface DayPlanned {
  /** When its first mail is due; null when there is none. */
  readonly firstAt: Date | null;
  /** Threads that it has, those that were begun before included; null when nothing was to be planned. */
  readonly threads: number | null;
}

/** Plans the days of mailboxes. */
@Injectable()
export class WarmupDayPlanService {
  constructor(
    @InjectModel(WarmupRecord.name) private readonly warmups: Model<WarmupRecord>,
    @InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>,
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly pools: WarmupPoolService,
    private readonly histories: PairHistoriesService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Plans the present day of a warmup that sends, once: what is left of it. Without a peer, or while the mailbox cannot send, it is
   * tried again later in the day.
   * @param pool is told what is planned
   */
  async planDay(warmup: Warmup, pool: WarmupPoolSnapshot): Promise<DayPlanned> {
    const { mailbox, state } = warmup;
    const now = this.clock.now();
    const hours = getHours(state.config, mailbox.timezone);
    const date = getDay(now, hours.timezone);
    const tomorrow = startOfDay(addDays(date, 1), hours.timezone);
    const span = hoursOn(date, hours);
    const isOver = span === null || now.getTime() >= span.to;
    if (state.plannedDay === date || isOver) {
      await this.#writePlan(warmup, { nextAt: tomorrow, plannedDay: date }, []);
      return { firstAt: null, threads: null };
    }
    const self = pool.member(mailbox._id.toHexString());
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
    await this.pools.learn(pool, date);
    const history = await this.histories.getHistory(of, date);
    const candidates = pool.candidates(self, date);
    return planDay({
      mailbox: {
        id: self.id,
        languages: state.config.languages,
        hours: getHours(state.config, mailbox.timezone),
        gapSeconds: mailbox.sendGapSeconds,
      },
      date,
      volume: state.currentVolume,
      peers: candidates.map((member) => ({ ...member, incoming: pool.incoming(member.id, date) })),
      history,
      notBefore: now,
      begun,
      // Another run of the same mailbox writes other mails.
      seed: state.startedAt?.toISOString() ?? '',
    });
  }

  /** Places of the day that are taken: threads that were taken back may have left gaps. */
  async #countBegun(of: { workspaceId: Types.ObjectId; mailboxId: Types.ObjectId }, day: string): Promise<number> {
    const last = await this.threads
      .findOne({ ...of, day }, { ordinal: 1 })
      .sort({ ordinal: -1 })
      .lean<Pick<WarmupThreadRecord, 'ordinal'>>();
    return last ? last.ordinal + 1 : 0;
  }

  /** Writes the plan. False when the warmup has changed since it was read: then it is still to be planned. */
  async #writePlan(
    { mailbox, state }: Warmup,
    next: Pick<WarmupRecord, 'nextAt' | 'plannedDay'>,
    plan: readonly PlannedThread[],
    pool?: WarmupPoolSnapshot,
  ): Promise<boolean> {
    const { _id, workspaceId } = mailbox;
    const { revision, plannedDay } = state;
    const rows = plan.flatMap((planned) => rowsOf({ workspaceId, mailboxId: _id }, next.plannedDay, planned, pool));
    return this.transactions.run(async () => {
      const { matchedCount } = await this.warmups.updateOne({ _id, workspaceId, revision, plannedDay }, { $set: next });
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
function rowsOf(
  sender: { workspaceId: Types.ObjectId; mailboxId: Types.ObjectId },
  day: string,
  { ordinal, at, to, language, seed }: PlannedThread,
  pool: WarmupPoolSnapshot | undefined,
) {
  const peer = pool?.member(to);
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
