import { type ProbeTimer } from './probe-timer';

export interface PaceLimits {
  /** Connections that one provider has from this process at one time. */
  readonly connections: number;
  /** Least milliseconds between the beginnings of two connections. */
  readonly gapMs: number;
  /** Providers that are remembered; of those that nobody is waiting for, the longest unused goes first. */
  readonly maxProviders: number;
}

/** How long a provider that has had enough of us is left alone, at first and at most; it doubles in between. */
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 3_600_000;

/** A place at a provider. It must be given back, once. */
export interface RateLimitSlot<S> {
  /** A conversation with the host that somebody before has left over. */
  readonly session: S | null;
  /**
   * Gives the place back, and a conversation that others could go on with.
   * @returns the conversation, when nobody wants it: it is to be ended
   */
  end(leftOver: S | null): S | null;
}

/** There is no place in time. */
export interface NoSlot {
  /** Milliseconds until there may be one. */
  readonly freeInMs: number;
}

interface Waiting<S> {
  readonly host: string;
  readonly deadline: number;
  give(turn: RateLimitSlot<S> | NoSlot): void;
}

interface Lane<S> {
  open: number;
  /** When the next connection may begin, for the gap. */
  nextAt: number;
  restsUntil: number;
  restMs: number;
  readonly waiting: Set<Waiting<S>>;
  cancelWake: (() => void) | null;
}

/**
 * Lets a few connections at a time through to each provider (or whatever else has a lane of that name), with a gap between them, and
 * leaves one alone that has had enough.
 * Who waits for a host whose conversation somebody leaves over goes on with that one, which costs the provider no connection.
 */
export class ProviderRateLimiter<S extends { readonly host: string }> {
  readonly #lanes = new Map<string, Lane<S>>();

  constructor(
    private readonly limits: PaceLimits,
    private readonly timer: ProbeTimer,
  ) {}

  get size(): number {
    return this.#lanes.size;
  }

  /**
   * @param deadline milliseconds of the timer
   * @throws the signal's reason
   */
  async acquire(
    provider: string,
    host: string,
    { deadline, signal }: { readonly deadline: number; readonly signal: AbortSignal | undefined },
  ): Promise<RateLimitSlot<S> | NoSlot> {
    signal?.throwIfAborted();
    const lane = this.#lane(provider);
    return new Promise((resolve, reject) => {
      const over = (): void => {
        lane.waiting.delete(waiting);
        cancel();
        signal?.removeEventListener('abort', stop);
      };
      const waiting: Waiting<S> = {
        host,
        deadline,
        give: (turn) => {
          over();
          resolve(turn);
        },
      };
      const stop = (): void => {
        over();
        reject(signal?.reason as Error);
      };
      const cancel = this.timer.after(Math.max(0, deadline - this.timer.now()), () =>
        waiting.give({ freeInMs: Math.max(0, this.#openAt(lane) - this.timer.now()) }),
      );
      signal?.addEventListener('abort', stop, { once: true });
      lane.waiting.add(waiting);
      this.#pump(lane);
    });
  }

  /** The provider has had enough of us: nobody calls it for a while, the next time for twice as long. */
  repelled(provider: string): void {
    const lane = this.#lane(provider);
    const now = this.timer.now();
    // Several connections at once hear the same once.
    if (lane.restsUntil > now) return;
    lane.restMs = Math.min(Math.max(lane.restMs * 2, FIRST_REST_MS), LONGEST_REST_MS);
    lane.restsUntil = now + lane.restMs;
    this.#pump(lane);
  }

  /** It answers as one does whom we do not disturb. */
  welcomed(provider: string): void {
    const lane = this.#lanes.get(provider);
    if (lane) lane.restMs = 0;
  }

  /** Milliseconds for which a provider is left alone from now on. */
  cooldownOf(provider: string): number {
    return Math.max(0, (this.#lanes.get(provider)?.restsUntil ?? 0) - this.timer.now());
  }

  /** Lets in who may begin now; tells those whose deadline comes first; wakes up when the next one may. */
  #pump(lane: Lane<S>): void {
    const openAt = this.#openAt(lane);
    const now = this.timer.now();
    for (const waiting of lane.waiting) {
      if (waiting.deadline <= Math.max(openAt, now)) waiting.give({ freeInMs: Math.max(0, openAt - now) });
    }
    lane.cancelWake?.();
    lane.cancelWake = null;
    const [first] = lane.waiting;
    if (!first || lane.open >= this.limits.connections) return;
    if (openAt > now) {
      lane.cancelWake = this.timer.after(openAt - now, () => this.#pump(lane));
      return;
    }
    lane.open += 1;
    lane.nextAt = now + this.limits.gapMs;
    first.give(this.#turn(lane, null));
    this.#pump(lane);
  }

  #turn(lane: Lane<S>, session: S | null): RateLimitSlot<S> {
    return { session, end: (leftOver) => this.#end(lane, leftOver) };
  }

  #end(lane: Lane<S>, leftOver: S | null): S | null {
    const isResting = lane.restsUntil > this.timer.now();
    const next = leftOver && !isResting && [...lane.waiting].find(({ host }) => host === leftOver.host);
    if (leftOver && next) {
      next.give(this.#turn(lane, leftOver));
      return null;
    }
    lane.open -= 1;
    this.#pump(lane);
    return leftOver;
  }

  #openAt(lane: Lane<S>): number {
    return Math.max(lane.nextAt, lane.restsUntil);
  }

  #lane(provider: string): Lane<S> {
    const known = this.#lanes.get(provider);
    // To the end of the line: the longest unused stand first.
    if (known) this.#lanes.delete(provider);
    else this.#makeRoom();
    const lane = known ?? { open: 0, nextAt: 0, restsUntil: 0, restMs: 0, waiting: new Set(), cancelWake: null };
    this.#lanes.set(provider, lane);
    return lane;
  }

  #makeRoom(): void {
    if (this.#lanes.size < this.limits.maxProviders) return;
    for (const [provider, lane] of this.#lanes) {
      if (lane.open > 0 || lane.waiting.size > 0) continue;
      this.#lanes.delete(provider);
      return;
    }
  }
}
