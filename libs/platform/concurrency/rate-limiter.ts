import { createSystemTimer, type Timer } from './timer';

export interface RateLimits {
  /** Concurrent work of one key. */
  readonly perKey: number;
  /** Concurrent work of all keys; no limit by default. */
  readonly total?: number;
  /** Least milliseconds between two starts of one key. Default 0. */
  readonly gapMs?: number;
  /** Cooldown after a refusal that states none: it doubles from the first one to the longest. */
  readonly cooldown?: { readonly firstMs: number; readonly longestMs: number };
  /** Maximum number of stored keys; the least recently used one without work is dropped first. */
  readonly maxKeys?: number;
}

/** For what, and for how long, a caller waits. */
interface WaitOptions<T> {
  /** Leaves the queue. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of the timer: the caller needs a slot by then. */
  readonly deadline?: number;
  /** The longest cooldown that the caller waits for, in milliseconds. */
  readonly maxCooldownMs?: number;
  /** Whether the caller continues what another one leaves over. */
  readonly accepts?: (leftOver: T) => boolean;
}

export interface Slot<T> {
  /** What an earlier holder left over. */
  readonly continued: T | null;
  /**
   * Releases the slot; repeated calls have no effect.
   * @param leftOver something that another caller could continue, without a new start
   * @returns `leftOver` when no caller takes it over
   */
  release(leftOver?: T | null): T | null;
}

/** No slot is free in time. */
export interface NoSlot {
  /** Milliseconds until a slot may be free. */
  readonly freeInMs: number;
}

interface Waiter<T> extends Required<Omit<WaitOptions<T>, 'signal'>> {
  give(slot: Slot<T> | NoSlot): void;
}

interface KeyState<T> {
  open: number;
  /** When the next work may start, because of the gap. */
  nextAt: number;
  cooldownUntil: number;
  /** The last cooldown that was not stated. */
  cooldownMs: number;
  readonly waiters: Set<Waiter<T>>;
  cancelTimer: (() => void) | null;
}

const MAX_KEYS = 10_000;

/**
 * Limits work on foreign servers, for the whole process: per key (host, zone, mailbox) it limits concurrency, keeps a gap
 * between starts, and a cooldown after a refusal. Callers of one key are served in order of arrival, and keys in rotation, so that a slow one
 * does not delay the others.
 */
export class RateLimiter<T = never> {
  readonly #keys = new Map<string, KeyState<T>>();
  /** Keys with waiters; the one that was served last is at the end. */
  readonly #waiting = new Set<KeyState<T>>();
  #open = 0;

  constructor(
    private readonly limits: RateLimits,
    private readonly timer: Timer = createSystemTimer(),
  ) {}

  /** Number of stored keys. */
  get size(): number {
    return this.#keys.size;
  }

  /**
   * Runs the work as soon as the limits allow.
   * @param signal leaves the queue; started work continues unless it observes the signal
   * @throws the signal's reason, or the error of the work
   */
  async run<R>(key: string, signal: AbortSignal, work: () => Promise<R>): Promise<R> {
    const slot = await this.acquire(key, { signal });
    try {
      return await work();
    } finally {
      if ('release' in slot) slot.release();
    }
  }

  /**
   * Waits for a slot.
   * @returns `NoSlot` as soon as the caller would wait too long; never without a deadline or a longest cooldown
   * @throws the signal's reason
   */
  async acquire(key: string, { signal, ...options }: WaitOptions<T> = {}): Promise<Slot<T> | NoSlot> {
    signal?.throwIfAborted();
    const state = this.#getState(key);
    return new Promise((resolve, reject) => {
      const { deadline = Infinity, maxCooldownMs = Infinity, accepts = () => false } = options;
      const leave = (): void => {
        cancel?.();
        signal?.removeEventListener('abort', stop);
        this.#remove(state, waiter);
      };
      const waiter: Waiter<T> = {
        deadline,
        maxCooldownMs,
        accepts,
        give: (slot) => {
          leave();
          resolve(slot);
        },
      };
      const stop = (): void => {
        leave();
        reject(signal?.reason as Error);
      };
      const cancel =
        deadline < Infinity
          ? this.timer.after(Math.max(0, deadline - this.timer.now()), () => waiter.give(this.#noSlot(state)))
          : undefined;
      signal?.addEventListener('abort', stop, { once: true });
      state.waiters.add(waiter);
      this.#waiting.add(state);
      this.#serve(state);
    });
  }

  /**
   * Starts nothing for a while, because the server refuses us.
   * @param statedMs the time that the server demands; without it the cooldown doubles, and concurrent refusals count once
   */
  coolDown(key: string, statedMs?: number): void {
    const state = this.#getState(key);
    const now = this.timer.now();
    if (statedMs === undefined) {
      const { firstMs, longestMs } = this.limits.cooldown ?? { firstMs: 0, longestMs: 0 };
      if (state.cooldownUntil > now) return;
      state.cooldownMs = Math.min(Math.max(state.cooldownMs * 2, firstMs), longestMs);
    }
    state.cooldownUntil = Math.max(state.cooldownUntil, now + (statedMs ?? state.cooldownMs));
    this.#serve(state);
  }

  /** Records a normal reply: the next cooldown is the first one again. */
  resetCooldown(key: string): void {
    const state = this.#keys.get(key);
    if (state) state.cooldownMs = 0;
  }

  /** The remaining cooldown in milliseconds. */
  getCooldownMs(key: string): number {
    return Math.max(0, (this.#keys.get(key)?.cooldownUntil ?? 0) - this.timer.now());
  }

  /** Refuses waiters that cannot be served in time, starts those that the limits allow, and schedules the next start. */
  #serve(state: KeyState<T>): void {
    for (const waiter of state.waiters) if (this.#isHopeless(state, waiter)) waiter.give(this.#noSlot(state));
    while (this.#canStart(state)) this.#start(state);
    state.cancelTimer?.();
    state.cancelTimer = null;
    const inMs = getOpenAt(state) - this.timer.now();
    if (state.waiters.size === 0 || state.open >= this.limits.perKey || inMs <= 0) return;
    state.cancelTimer = this.timer.after(inMs, () => this.#serve(state));
  }

  #isHopeless(state: KeyState<T>, { deadline, maxCooldownMs }: Waiter<T>): boolean {
    const now = this.timer.now();
    return deadline <= Math.max(getOpenAt(state), now) || state.cooldownUntil - now > Math.max(0, maxCooldownMs);
  }

  #canStart(state: KeyState<T>): boolean {
    const { perKey, total = Infinity } = this.limits;
    const hasRoom = state.waiters.size > 0 && state.open < perKey && this.#open < total;
    return hasRoom && getOpenAt(state) <= this.timer.now();
  }

  #start(state: KeyState<T>): void {
    const [first] = state.waiters;
    state.open += 1;
    this.#open += 1;
    state.nextAt = this.timer.now() + (this.limits.gapMs ?? 0);
    first?.give(this.#createSlot(state, null));
    if (this.#waiting.delete(state)) this.#waiting.add(state);
  }

  #createSlot(state: KeyState<T>, continued: T | null): Slot<T> {
    let isReleased = false;
    return {
      continued,
      release: (leftOver = null) => {
        if (isReleased) return leftOver;
        isReleased = true;
        return this.#release(state, leftOver);
      },
    };
  }

  #release(state: KeyState<T>, leftOver: T | null): T | null {
    const isCoolingDown = state.cooldownUntil > this.timer.now();
    const next = leftOver !== null && !isCoolingDown && [...state.waiters].find(({ accepts }) => accepts(leftOver));
    if (next) {
      next.give(this.#createSlot(state, leftOver));
      return null;
    }
    state.open -= 1;
    this.#open -= 1;
    if (this.limits.total !== undefined) this.#serveNextKey();
    this.#serve(state);
    return leftOver;
  }

  /** A free slot allows one start, of the key that waits for its turn the longest. */
  #serveNextKey(): void {
    for (const state of this.#waiting) {
      if (!this.#canStart(state)) continue;
      this.#serve(state);
      return;
    }
  }

  #noSlot(state: KeyState<T>): NoSlot {
    return { freeInMs: Math.max(0, getOpenAt(state) - this.timer.now()) };
  }

  #remove(state: KeyState<T>, waiter: Waiter<T>): void {
    state.waiters.delete(waiter);
    if (state.waiters.size > 0) return;
    this.#waiting.delete(state);
    state.cancelTimer?.();
    state.cancelTimer = null;
  }

  #getState(key: string): KeyState<T> {
    const known = this.#keys.get(key);
    // Moved to the end, so that the least recently used ones come first.
    if (known) this.#keys.delete(key);
    else this.#dropOldest();
    const state = known ?? {
      open: 0,
      nextAt: 0,
      cooldownUntil: 0,
      cooldownMs: 0,
      waiters: new Set(),
      cancelTimer: null,
    };
    this.#keys.set(key, state);
    return state;
  }

  #dropOldest(): void {
    if (this.#keys.size < (this.limits.maxKeys ?? MAX_KEYS)) return;
    for (const [key, { open, waiters }] of this.#keys) {
      if (open > 0 || waiters.size > 0) continue;
      this.#keys.delete(key);
      return;
    }
  }
}

function getOpenAt({ nextAt, cooldownUntil }: { readonly nextAt: number; readonly cooldownUntil: number }): number {
  return Math.max(nextAt, cooldownUntil);
}
