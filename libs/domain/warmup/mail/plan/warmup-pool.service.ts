import { WorkspaceRepository } from '@domain/identity';
import { MailboxRepository, type WarmupReadiness } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { addDays } from '@platform/time';
import { type Model, Types } from 'mongoose';
import { type Warmup } from '../../config/warmup-state';
import { listShared, LOOKBACK_DAYS, type PairHistory } from '../../plan/peers';
import { getMaxReceived } from '../../plan/volume';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';
import { WARMING_STATUSES, WarmupRecord } from '../../schemas/warmup.record';
import { type PoolMember, WarmupPoolSnapshot } from './warmup-pool-snapshot';

/** Records that are read at once. */
const BATCH = 500;
/** Age from which a snapshot is read again. */
const MAX_AGE_MS = 60_000;
const WORKER = 'mailboxes of the whole installation write to each other';

type Warming = Pick<WarmupRecord, '_id' | 'workspaceId' | 'config' | 'currentVolume'>;

type ThreadPair = Pick<WarmupThreadRecord, 'mailboxId' | 'counterpart' | 'day'>;

const PAIR_FIELDS = { mailboxId: 1, counterpart: 1, day: 1 } as const;

/** The pool: mailboxes in warmup that can send now, of the installation or of one workspace. */
@Injectable()
export class WarmupPoolService {
  readonly #isShared: boolean;

  constructor(
    @InjectModel(WarmupRecord.name) private readonly warmups: Model<WarmupRecord>,
    @InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
    { warmupPool }: Config,
  ) {
    this.#isShared = warmupPool === 'installation';
  }

  /** Returns a reader that caches the snapshot for work of several minutes. */
  createCache(): () => Promise<WarmupPoolSnapshot> {
    let opened: { pool: WarmupPoolSnapshot; at: number } | null = null;
    return async () => {
      const at = this.clock.now().getTime();
      if (opened === null || at - opened.at > MAX_AGE_MS) opened = { pool: await this.open(), at };
      return opened.pool;
    };
  }

  /** Reads the members in pages; each takes some hundred bytes of memory. */
  async open(): Promise<WarmupPoolSnapshot> {
    const members: PoolMember[] = [];
    for await (const page of this.#listWarming()) members.push(...(await this.#listReady(page)));
    return new WarmupPoolSnapshot(members, this.#isShared);
  }

  /** Whether a mailbox has any peer now. */
  async hasPeersFor({ mailbox, state }: Warmup): Promise<boolean> {
    // Reads only possible peers, since a person waits for the answer.
    const within = this.#isShared ? {} : { workspaceId: mailbox.workspaceId };
    for await (const page of this.#listWarming(within)) {
      const others = page.filter(
        ({ _id, config }) =>
          !_id.equals(mailbox._id) && listShared(state.config.languages, config.languages).length > 0,
      );
      if ((await this.#listReady(others)).some(({ address }) => address !== mailbox.email)) return true;
    }
    return false;
  }

  /** Adds the threads that others have planned with members of the pool on a day. */
  async learn(pool: WarmupPoolSnapshot, date: string): Promise<void> {
    if (pool.hasLearned(date)) return;
    const incoming = new Map<string, number>();
    for (const ids of splitBatches(pool.ids)) {
      const mailboxId = { $in: ids.map((id) => new Types.ObjectId(id)) };
      const counts = await this.threads
        .aggregate<{ _id: Types.ObjectId; threads: number }>([
          { $match: { 'counterpart.mailboxId': mailboxId, day: date } },
          { $group: { _id: '$counterpart.mailboxId', threads: { $sum: 1 } } },
        ])
        .option({ allWorkspaces: WORKER });
      for (const { _id, threads } of counts) incoming.set(_id.toHexString(), threads);
    }
    pool.learn(date, incoming);
  }

  /**
   * Returns recent peers of a mailbox.
   * @param date YYYY-MM-DD; days in other time zones count by their own dates
   */
  async getHistory(
    { workspaceId, mailboxId }: { workspaceId: Types.ObjectId; mailboxId: Types.ObjectId },
    date: string,
  ): Promise<PairHistory> {
    const day = { $gte: addDays(date, -LOOKBACK_DAYS), $lte: date };
    const [begun, received] = await Promise.all([
      this.threads.find({ workspaceId, mailboxId, day }, PAIR_FIELDS).lean<ThreadPair[]>(),
      this.threads
        .find({ 'counterpart.mailboxId': mailboxId, day }, PAIR_FIELDS)
        .setOptions({ allWorkspaces: 'mailboxes of other workspaces write to this one' })
        .lean<ThreadPair[]>(),
    ]);
    const met = [
      ...begun.map((thread) => ({ peer: thread.counterpart.mailboxId, on: thread.day })),
      ...received.map((thread) => ({ peer: thread.mailboxId, on: thread.day })),
    ];
    const [today, days] = [new Map<string, number>(), new Map<string, string[]>()];
    for (const { peer, on } of met) {
      const id = peer.toHexString();
      const before = days.get(id) ?? [];
      if (on === date) today.set(id, (today.get(id) ?? 0) + 1);
      else if (!before.includes(on)) days.set(id, [...before, on]);
    }
    return { today, days };
  }

  async *#listWarming(within: Partial<Pick<Warming, 'workspaceId'>> = {}): AsyncGenerator<Warming[]> {
    let after: Types.ObjectId | null = null;
    for (;;) {
      const found: Warming[] = await this.warmups
        .find({ ...within, status: { $in: [...WARMING_STATUSES] }, ...(after && { _id: { $gt: after } }) })
        .select({ workspaceId: 1, config: 1, currentVolume: 1 })
        .setOptions({ allWorkspaces: WORKER })
        .sort({ _id: 1 })
        .limit(BATCH)
        .lean<Warming[]>();
      if (found.length > 0) yield found;
      if (found.length < BATCH) return;
      after = found.at(-1)?._id ?? null;
    }
  }

  /** Those that can send and receive, in workspaces that are not deleted. */
  async #listReady(page: readonly Warming[]): Promise<PoolMember[]> {
    const [mailboxes, alive] = await Promise.all([
      this.mailboxes.listWarmupReady(page.map(({ _id }) => _id)),
      this.workspaces.filterAlive([...new Set(page.map(({ workspaceId }) => workspaceId.toHexString()))]),
    ]);
    return page.flatMap((warmup) => {
      const mailbox = mailboxes.get(warmup._id.toHexString());
      return mailbox && alive.has(warmup.workspaceId.toHexString()) ? [toMember(warmup, mailbox)] : [];
    });
  }
}

function toMember(
  { _id, workspaceId, config, currentVolume }: Warming,
  { email, dailySendLimit }: WarmupReadiness,
): PoolMember {
  return {
    id: _id.toHexString(),
    workspaceId: workspaceId.toHexString(),
    address: email,
    languages: config.languages,
    mostReceived: getMaxReceived(dailySendLimit, config, currentVolume),
  };
}

function* splitBatches<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH);
}
