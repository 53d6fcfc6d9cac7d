import { LeaseLostError } from './lease-lost.errors';

/** A lease without a renewal expires after this time in milliseconds, by the database's clock. */
export const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 4_000;
/** A lease that ends sooner (milliseconds) has missed a renewal: its holder has probably crashed. */
export const OVERDUE_LEASE_MS = LEASE_MS - RENEW_EVERY_MS - 1_000;
/** Without a successful renewal in this time in milliseconds no further work begins: the lease is about to expire. */
const EXPIRED_AFTER_MS = 10_000;

/** Renews a lease while work runs under it, and stops the work when the lease expires or another worker holds it. */
export class LeaseHeartbeat {
  /** All leases of the process are renewed at the same time, so that one command can renew them. */
  static readonly #running = new Set<LeaseHeartbeat>();
  static #timer: NodeJS.Timeout | undefined;

  readonly #stop = (): void => this.#abort.abort(this.stopping.reason);
  readonly #abort = new AbortController();
  /** By the monotonic clock of the process. */
  #expiry: NodeJS.Timeout;
  #isExpired = false;

  /**
   * @param renew false when another worker holds the lease
   * @param stopping also stops the work
   */
  constructor(
    private readonly renew: () => Promise<boolean>,
    private readonly stopping: AbortSignal,
  ) {
    stopping.addEventListener('abort', this.#stop, { once: true });
    if (stopping.aborted) this.#stop();
    this.#expiry = this.#expireIn(EXPIRED_AFTER_MS);
    LeaseHeartbeat.#running.add(this);
    LeaseHeartbeat.#timer ??= setInterval(() => LeaseHeartbeat.#beatAll(), RENEW_EVERY_MS);
  }

  static #beatAll(): void {
    for (const heartbeat of LeaseHeartbeat.#running) void heartbeat.beat();
  }

  /** Aborts when the lease expires or another worker holds it or `stopping` aborts: then no further work may begin. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isExpired(): boolean {
    return this.#isExpired;
  }

  /** Renews now; a failed command is repeated while the lease lasts. */
  async beat(): Promise<void> {
    const startedAt = performance.now();
    // Null: the command failed.
    const isLeased = await this.renew().catch(() => null);
    if (isLeased === null || this.#isExpired) return;
    clearTimeout(this.#expiry);
    if (!isLeased) this.#expire();
    else if (LeaseHeartbeat.#running.has(this))
      this.#expiry = this.#expireIn(EXPIRED_AFTER_MS - (performance.now() - startedAt));
  }

  end(): void {
    clearTimeout(this.#expiry);
    this.stopping.removeEventListener('abort', this.#stop);
    LeaseHeartbeat.#running.delete(this);
    if (LeaseHeartbeat.#running.size > 0) return;
    clearInterval(LeaseHeartbeat.#timer);
    LeaseHeartbeat.#timer = undefined;
  }

  #expireIn(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#expire(), milliseconds);
  }

  #expire(): void {
    this.#isExpired = true;
    this.#abort.abort(new LeaseLostError());
  }
}
