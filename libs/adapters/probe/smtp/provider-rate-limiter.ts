import { type ProbeTimer } from './probe-timer';

export interface RateLimits {
  /** Connections that one provider has from this process at one time. */
  readonly connections: number;
  /** Least milliseconds between the beginnings of two connections. */
  readonly gapMs: number;
  /** The maximum number of stored providers; the least recently used one without waiters is dropped first. */
  readonly maxProviders: number;
}

/** How long a provider that has had enough of us is left alone, at first and at most; it doubles in between. */
const FIRST_COOLDOWN_MS = 60_000;
const MAX_COOLDOWN_MS = 3_600_000;

/** A place at a provider. It must be given back, once. */
export interface RateLimitSlot<S> {
  /** An open conversation with the host that an earlier probe released. */
  readonly session: S | null;
  /**
   * Releases the slot, with a conversation that another probe could continue.
   * @returns the conversation when no probe takes it over: the caller must end it
   */
  release(leftOver: S | null): S | null;
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

interface ProviderState<S> {
  open: number;
  /** When the next connection may begin, for the gap. */
  nextAt: number;
  cooldownUntil: number;
  cooldownMs: number;
  readonly waiting: Set<Waiting<S>>;
  cancelTimer: (() => void) | null;
}

/**
 * Limits concurrent connections per provider or other key, keeps a gap between them, and applies a cooldown after a refusal. A probe that
 * waits for a host continues a released conversation with it, which saves the provider a connection.
 */
export class ProviderRateLimiter<S extends { readonly host: string }> {
  readonly #providers = new Map<string, ProviderState<S>>();

  constructor(
    private readonly limits: RateLimits,
    private readonly timer: ProbeTimer,
  ) {}

  get size(): number {
    return this.#providers.size;
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
    const lane = this.#getState(provider);
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
      this.#assignSlots(lane);
    });
  }

  /** The provider refuses us: starts a cooldown, which doubles each time. */
  startCooldown(provider: string): void {
    const lane = this.#getState(provider);
    const now = this.timer.now();
    // Several connections at once hear the same once.
    if (lane.cooldownUntil > now) return;
    lane.cooldownMs = Math.min(Math.max(lane.cooldownMs * 2, FIRST_COOLDOWN_MS), MAX_COOLDOWN_MS);
    lane.cooldownUntil = now + lane.cooldownMs;
    this.#assignSlots(lane);
  }

  /** It answers as one does whom we do not disturb. */
  resetCooldown(provider: string): void {
    const lane = this.#providers.get(provider);
    if (lane) lane.cooldownMs = 0;
  }

  /** Milliseconds for which a provider is left alone from now on. */
  getCooldownMs(provider: string): number {
    return Math.max(0, (this.#providers.get(provider)?.cooldownUntil ?? 0) - this.timer.now());
  }

  /** Lets in who may begin now; tells those whose deadline comes first; wakes up when the next one may. */
  #assignSlots(lane: ProviderState<S>): void {
    const openAt = this.#openAt(lane);
    const now = this.timer.now();
    for (const waiting of lane.waiting) {
      if (waiting.deadline <= Math.max(openAt, now)) waiting.give({ freeInMs: Math.max(0, openAt - now) });
    }
    lane.cancelTimer?.();
    lane.cancelTimer = null;
    const [first] = lane.waiting;
    if (!first || lane.open >= this.limits.connections) return;
    if (openAt > now) {
      lane.cancelTimer = this.timer.after(openAt - now, () => this.#assignSlots(lane));
      return;
    }
    lane.open += 1;
    lane.nextAt = now + this.limits.gapMs;
    first.give(this.#createSlot(lane, null));
    this.#assignSlots(lane);
  }

  #createSlot(lane: ProviderState<S>, session: S | null): RateLimitSlot<S> {
    return { session, release: (leftOver) => this.#releaseSlot(lane, leftOver) };
  }

  #releaseSlot(lane: ProviderState<S>, leftOver: S | null): S | null {
    const isResting = lane.cooldownUntil > this.timer.now();
    const next = leftOver && !isResting && [...lane.waiting].find(({ host }) => host === leftOver.host);
    if (leftOver && next) {
      next.give(this.#createSlot(lane, leftOver));
      return null;
    }
    lane.open -= 1;
    this.#assignSlots(lane);
    return leftOver;
  }

  #openAt(lane: ProviderState<S>): number {
    return Math.max(lane.nextAt, lane.cooldownUntil);
  }

  #getState(provider: string): ProviderState<S> {
    const known = this.#providers.get(provider);
    // To the end of the line: the longest unused stand first.
    if (known) this.#providers.delete(provider);
    else this.#evictOldest();
    const lane = known ?? {
      open: 0,
      nextAt: 0,
      cooldownUntil: 0,
      cooldownMs: 0,
      waiting: new Set(),
      cancelTimer: null,
    };
    this.#providers.set(provider, lane);
    return lane;
  }

  #evictOldest(): void {
    if (this.#providers.size < this.limits.maxProviders) return;
    for (const [provider, lane] of this.#providers) {
      if (lane.open > 0 || lane.waiting.size > 0) continue;
      this.#providers.delete(provider);
      return;
    }
  }
}
