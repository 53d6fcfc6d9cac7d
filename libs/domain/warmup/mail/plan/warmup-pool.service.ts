import { MailboxWarmupsRepository, type WarmupReadiness } from '@domain/mailboxes';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { type Model, Types } from 'mongoose';
import { type Warmup } from '../../config/warmup-state';
import { shared } from '../../plan/peers';
import { mostReceived } from '../../plan/volume';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';
import { WARMING_STATUSES, WarmupRecord } from '../../schemas/warmup.record';
import { type PoolMember, WarmupPoolSnapshot } from './warmup-pool-snapshot';

/** Records that are read at once. */
const BATCH = 500;
/** One that was opened so long ago is opened anew. */
const KEPT_MS = 60_000;
const WORKER = 'mailboxes of the whole installation write to each other';

type Warming = Pick<WarmupRecord, '_id' | 'workspaceId' | 'config' | 'currentVolume'>;

/** The mailboxes that write to each other: those in warmup that can send now, of all workspaces or of each alone. */
@Injectable()
export class WarmupPoolService {
  readonly #isShared: boolean;

  constructor(
    @InjectModel(WarmupRecord.name) private readonly warmups: Model<WarmupRecord>,
    @InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>,
    private readonly mailboxes: MailboxWarmupsRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
    { warmupPool }: Config,
  ) {
    this.#isShared = warmupPool === 'installation';
  }

  /** Gives the pool, for work that takes longer than it stays as it was. */
  kept(): () => Promise<WarmupPoolSnapshot> {
    let opened: { pool: WarmupPoolSnapshot; at: number } | null = null;
    return async () => {
      const at = this.clock.now().getTime();
      if (opened === null || at - opened.at > KEPT_MS) opened = { pool: await this.open(), at };
      return opened.pool;
    };
  }

  /** Reads it in pages; what is kept of a mailbox are some hundred bytes. */
  async open(): Promise<WarmupPoolSnapshot> {
    const members: PoolMember[] = [];
    for await (const page of this.#warming()) members.push(...(await this.#ready(page)));
    return new WarmupPoolSnapshot(members, this.#isShared);
  }

  /** Whether there is anybody that a mailbox could write to now. */
  async hasPeersFor({ mailbox, state }: Warmup): Promise<boolean> {
    // Of a large installation only the mailboxes that come into question are read: people wait for the answer.
    const within = this.#isShared ? {} : { workspaceId: mailbox.workspaceId };
    for await (const page of this.#warming(within)) {
      const others = page.filter(
        ({ _id, config }) => !_id.equals(mailbox._id) && shared(state.config.languages, config.languages).length > 0,
      );
      if ((await this.#ready(others)).some(({ address }) => address !== mailbox.email)) return true;
    }
    return false;
  }

  /** What others begin with each of the pool on a day, as far as it is planned. */
  async learn(pool: WarmupPoolSnapshot, date: string): Promise<void> {
    if (pool.knows(date)) return;
    const incoming = new Map<string, number>();
    for (const ids of batches(pool.ids)) {
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

  async *#warming(within: Partial<Pick<Warming, 'workspaceId'>> = {}): AsyncGenerator<Warming[]> {
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

  /** Those of them that can send and be written to, in workspaces that there are. */
  async #ready(page: readonly Warming[]): Promise<PoolMember[]> {
    const [mailboxes, alive] = await Promise.all([
      this.mailboxes.ready(page.map(({ _id }) => _id)),
      this.workspaces.filterAlive([...new Set(page.map(({ workspaceId }) => workspaceId.toHexString()))]),
    ]);
    return page.flatMap((warmup) => {
      const mailbox = mailboxes.get(warmup._id.toHexString());
      return mailbox && alive.has(warmup.workspaceId.toHexString()) ? [memberOf(warmup, mailbox)] : [];
    });
  }
}

function memberOf(
  { _id, workspaceId, config, currentVolume }: Warming,
  { email, dailySendLimit }: WarmupReadiness,
): PoolMember {
  return {
    id: _id.toHexString(),
    workspaceId: workspaceId.toHexString(),
    address: email,
    languages: config.languages,
    mostReceived: mostReceived(dailySendLimit, config, currentVolume),
  };
}

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH);
}
