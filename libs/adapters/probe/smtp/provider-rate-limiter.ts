import { type ProbeTimer } from './probe-timer';

export interface RateLimits {
  /** Maximum concurrent connections to one provider. */
  readonly connections: number;
  /** Minimum milliseconds between the starts of two connections. */
  readonly gapMs: number;
  /** The maximum number of stored providers; the least recently used one without waiters is dropped first. */
  readonly maxProviders: number;
}

/** First and maximum cooldown of a provider; it doubles in between. */
const FIRST_COOLDOWN_MS = 60_000;
const MAX_COOLDOWN_MS = 3_600_000;

/** A slot at a provider. It must be released once. */
export interface RateLimitSlot<S> {
  /** An open conversation with the host that an earlier probe released. */
  readonly session: S | null;
  /**
   * Releases the slot, with a conversation that another probe could continue.
   * @returns the conversation when no probe takes it over: the caller must end it
   */
  release(leftOver: S | null): S | null;
}

/** No slot is free in time. */
export interface NoSlot {
  /** Milliseconds until a slot may be free. */
  readonly freeInMs: number;
}

interface Waiting<S> {
  readonly host: string;
  readonly deadline: number;
  give(slot: RateLimitSlot<S> | NoSlot): void;
}

interface ProviderState<S> {
  open: number;
  /** When the next connection may start, because of the gap. */
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
    const state = this.#getState(provider);
    return new Promise((resolve, reject) => {
      const over = (): void => {
        state.waiting.delete(waiting);
        cancel();
        signal?.removeEventListener('abort', stop);
      };
      const waiting: Waiting<S> = {
        host,
        deadline,
        give: (slot) => {
          over();
          resolve(slot);
        },
      };
      const stop = (): void => {
        over();
        reject(signal?.reason as Error);
      };
      const cancel = this.timer.after(Math.max(0, deadline - this.timer.now()), () =>
        waiting.give({ freeInMs: Math.max(0, this.#openAt(state) - this.timer.now()) }),
      );
      signal?.addEventListener('abort', stop, { once: true });
      state.waiting.add(waiting);
      this.#assignSlots(state);
    });
  }

  /** The provider refuses us: starts a cooldown, which doubles each time. */
  startCooldown(provider: string): void {
    const state = this.#getState(provider);
    const now = this.timer.now();
    // Several concurrent refusals count once.
    if (state.cooldownUntil > now) return;
    state.cooldownMs = Math.min(Math.max(state.cooldownMs * 2, FIRST_COOLDOWN_MS), MAX_COOLDOWN_MS);
    state.cooldownUntil = now + state.cooldownMs;
    this.#assignSlots(state);
  }

  /** Records a normal reply, which resets the cooldown. */
  resetCooldown(provider: string): void {
    const state = this.#providers.get(provider);
    if (state) state.cooldownMs = 0;
  }

  /** The remaining cooldown of a provider in milliseconds. */
  getCooldownMs(provider: string): number {
    return Math.max(0, (this.#providers.get(provider)?.cooldownUntil ?? 0) - this.timer.now());
  }

  /** Grants free slots, rejects waiters whose deadline is earlier, and schedules the next check. */
  #assignSlots(state: ProviderState<S>): void {
    const openAt = this.#openAt(state);
    const now = this.timer.now();
    for (const waiting of state.waiting) {
      if (waiting.deadline <= Math.max(openAt, now)) waiting.give({ freeInMs: Math.max(0, openAt - now) });
    }
    state.cancelTimer?.();
    state.cancelTimer = null;
    const [first] = state.waiting;
    if (!first || state.open >= this.limits.connections) return;
    if (openAt > now) {
      state.cancelTimer = this.timer.after(openAt - now, () => this.#assignSlots(state));
      return;
    }
    state.open += 1;
    state.nextAt = now + this.limits.gapMs;
    first.give(this.#createSlot(state, null));
    this.#assignSlots(state);
  }

  #createSlot(state: ProviderState<S>, session: S | null): RateLimitSlot<S> {
    return { session, release: (leftOver) => this.#releaseSlot(state, leftOver) };
  }

  #releaseSlot(state: ProviderState<S>, leftOver: S | null): S | null {
    const isResting = state.cooldownUntil > this.timer.now();
    const next = leftOver && !isResting && [...state.waiting].find(({ host }) => host === leftOver.host);
    if (leftOver && next) {
      next.give(this.#createSlot(state, leftOver));
      return null;
    }
    state.open -= 1;
    this.#assignSlots(state);
    return leftOver;
  }

  #openAt(state: ProviderState<S>): number {
    return Math.max(state.nextAt, state.cooldownUntil);
  }

  #getState(provider: string): ProviderState<S> {
    const known = this.#providers.get(provider);
    // Moved to the end, so that the least recently used ones come first.
    if (known) this.#providers.delete(provider);
    else this.#evictOldest();
    const state = known ?? {
      open: 0,
      nextAt: 0,
      cooldownUntil: 0,
      cooldownMs: 0,
      waiting: new Set(),
      cancelTimer: null,
    };
    this.#providers.set(provider, state);
    return state;
  }

  #evictOldest(): void {
    if (this.#providers.size < this.limits.maxProviders) return;
    for (const [provider, state] of this.#providers) {
      if (state.open > 0 || state.waiting.size > 0) continue;
      this.#providers.delete(provider);
      return;
    }
  }
}
