import { type Timer } from '@platform/concurrency';

interface Known {
  readonly catchAll: boolean;
  readonly until: number;
}

export interface CatchAllBounds {
  readonly maxDomains: number;
  /** Milliseconds. */
  readonly keepMs: number;
}

/** Recent catch-all results of domains. The least recently used one is evicted first. */
export class CatchAllCache {
  readonly #known = new Map<string, Known>();

  constructor(
    private readonly bounds: CatchAllBounds,
    private readonly timer: Timer,
  ) {}

  get(domain: string): boolean | null {
    const known = this.#known.get(domain);
    if (!known) return null;
    this.#known.delete(domain);
    if (known.until <= this.timer.now()) return null;
    this.#known.set(domain, known);
    return known.catchAll;
  }

  keep(domain: string, catchAll: boolean): void {
    this.#known.delete(domain);
    this.#known.set(domain, { catchAll, until: this.timer.now() + this.bounds.keepMs });
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > this.bounds.maxDomains) this.#known.delete(oldest);
  }
}
