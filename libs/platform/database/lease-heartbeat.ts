/** A lease without a renewal expires after this time in milliseconds, by the database's clock. */
export const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 4_000;
/** Without a successful renewal in this time in milliseconds the work stops: the lease is about to expire. */
const EXPIRED_AFTER_MS = 10_000;

/** Renews a lease while work runs under it, and stops the work when the lease expires or another worker holds it. */
export class LeaseHeartbeat {
  readonly #stop = (): void => this.#abort.abort(this.stopping.reason);
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #renewedAt = performance.now();
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
    this.#timer = setInterval(() => void this.beat(), RENEW_EVERY_MS);
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
    const isLeased = await this.renew().catch(() => performance.now() - this.#renewedAt < EXPIRED_AFTER_MS && null);
    if (isLeased) this.#renewedAt = performance.now();
    if (isLeased !== false) return;
    this.#isExpired = true;
    this.#abort.abort(new Error('The lease has expired'));
  }

  end(): void {
    clearInterval(this.#timer);
    this.stopping.removeEventListener('abort', this.#stop);
  }
}
