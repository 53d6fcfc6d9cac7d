import { getDraws, shuffled } from '../../plan/seeded-random';
import { type Peer } from '../../plan/peers';

/** A mailbox that others can write to. */
export interface PoolMember extends Omit<Peer, 'incoming'> {
  readonly workspaceId: string;
  readonly address: string;
}

/** Of a large pool each mailbox chooses among so many a day, drawn at random: enough to write to nobody too often. */
export const MOST_CANDIDATES = 150;

/** Mailboxes that can be written to, as they stood when it was opened, and what has been planned for them since. */
export class WarmupPoolSnapshot {
  readonly #members: ReadonlyMap<string, PoolMember>;
  /** Threads that are begun with each on a day, by day. */
  readonly #countIncoming = new Map<string, Map<string, number>>();

  /** @param isShared whether mailboxes of different workspaces write to each other */
  constructor(
    members: readonly PoolMember[],
    private readonly isShared: boolean,
  ) {
    this.#members = new Map(members.map((member) => [member.id, member]));
  }

  get ids(): string[] {
    return [...this.#members.keys()];
  }

  find(id: string): PoolMember | undefined {
    return this.#members.get(id);
  }

  /** Those that a member may write to on a day, never itself in another workspace. The same for everybody who asks again. */
  listCandidates(self: PoolMember, date: string): PoolMember[] {
    const others = [...this.#members.values()].filter(
      ({ address, workspaceId }) => address !== self.address && (this.isShared || workspaceId === self.workspaceId),
    );
    if (others.length <= MOST_CANDIDATES) return others;
    return shuffled(others, getDraws('warmup pool', self.id, date)).slice(0, MOST_CANDIDATES);
  }

  /** Whether it is known what was planned on that day before the pool was opened. */
  hasLearned(date: string): boolean {
    return this.#countIncoming.has(date);
  }

  /** What was planned on that day before the pool was opened: threads by receiver. */
  learn(date: string, incoming: ReadonlyMap<string, number>): void {
    this.#countIncoming.set(date, new Map(incoming));
  }

  countIncoming(id: string, date: string): number {
    return this.#countIncoming.get(date)?.get(id) ?? 0;
  }

  /** One more thread is begun with it. */
  add(id: string, date: string): void {
    const counts = this.#countIncoming.get(date) ?? new Map<string, number>();
    counts.set(id, (counts.get(id) ?? 0) + 1);
    this.#countIncoming.set(date, counts);
  }
}
