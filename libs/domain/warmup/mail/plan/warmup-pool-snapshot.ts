import { getDraws, shuffled } from '../../plan/seeded-random';
import { type Peer } from '../../plan/peers';

/** A mailbox that others may write to. */
export interface PoolMember extends Omit<Peer, 'incoming'> {
  readonly workspaceId: string;
  readonly address: string;
}

/** Candidates that each mailbox of a large pool gets a day, drawn at random: enough to keep pairs rare. */
export const MOST_CANDIDATES = 150;

/** The members of the pool at the time of reading, with the threads that have been planned for them since. */
export class WarmupPoolSnapshot {
  readonly #members: ReadonlyMap<string, PoolMember>;
  /** Threads opened with each member, by day. */
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

  /**
   * Members that a mailbox may write to on a day, never the same address in another workspace. Repeated calls return the same
   * list.
   */
  listCandidates(self: PoolMember, date: string): PoolMember[] {
    const others = [...this.#members.values()].filter(
      ({ address, workspaceId }) => address !== self.address && (this.isShared || workspaceId === self.workspaceId),
    );
    if (others.length <= MOST_CANDIDATES) return others;
    return shuffled(others, getDraws('warmup pool', self.id, date)).slice(0, MOST_CANDIDATES);
  }

  /** Whether the threads that were planned before the snapshot are known for that day. */
  hasLearned(date: string): boolean {
    return this.#countIncoming.has(date);
  }

  /** Adds the threads that were planned before the snapshot, by receiver. */
  learn(date: string, incoming: ReadonlyMap<string, number>): void {
    this.#countIncoming.set(date, new Map(incoming));
  }

  countIncoming(id: string, date: string): number {
    return this.#countIncoming.get(date)?.get(id) ?? 0;
  }

  /** Adds one thread that is opened with the member. */
  add(id: string, date: string): void {
    const counts = this.#countIncoming.get(date) ?? new Map<string, number>();
    counts.set(id, (counts.get(id) ?? 0) + 1);
    this.#countIncoming.set(date, counts);
  }
}
