import { type ClockPort } from '@platform/clock';
import { type DnsFailure } from '../port/dns.port';
import { type Step } from '../message/dns-reply';

export interface CacheBounds {
  readonly maxEntries: number;
  /** Limit of all cached characters, including names: a single TXT record may have 64 000. */
  readonly maxSize: number;
}

type CacheableStep = Exclude<Step, DnsFailure>;

interface Entry {
  readonly step: CacheableStep;
  /** In milliseconds of the clock. */
  readonly storedAt: number;
  readonly size: number;
  readonly asOf: number;
}

const SECOND_MS = 1000;

/**
 * Caches answers for their TTL and evicts the least recently used ones. Failures are not cached: concurrent identical queries are
 * combined, and the operator's resolver caches failures (RFC 9520).
 */
export class AnswerCache {
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  constructor(
    private readonly clock: ClockPort,
    private readonly bounds: CacheBounds,
  ) {}

  /** Returns the step with its remaining TTL. */
  get(key: string): CacheableStep | null {
    const entry = this.#entries.get(key);
    if (!entry) return null;
    this.#drop(key, entry);
    const age = this.clock.now().getTime() - entry.storedAt;
    // A clock that was set back must not extend a TTL.
    if (age < 0 || age >= entry.step.ttl * SECOND_MS) return null;
    this.#put(key, entry);
    return { ...entry.step, ttl: entry.step.ttl - Math.ceil(age / SECOND_MS) };
  }

  /** @param asOf growing number of the query: an older answer does not replace a newer one */
  store(key: string, step: Step, asOf: number): void {
    const before = this.#entries.get(key);
    if (before && before.asOf > asOf) return;
    if (before) this.#drop(key, before);
    if (!('ttl' in step) || step.ttl <= 0) return;
    this.#put(key, { step, storedAt: this.clock.now().getTime(), size: key.length + getSize(step), asOf });
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.bounds.maxEntries && this.#size <= this.bounds.maxSize) return;
      this.#drop(oldest, entry);
    }
  }

  #put(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#size += entry.size;
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}

function getSize(step: CacheableStep): number {
  if (step.kind === 'alias') return step.targets.join('').length;
  if (step.kind !== 'records') return 0;
  return step.records.reduce(
    (sum, record) => sum + (typeof record === 'string' ? record : JSON.stringify(record)).length,
    0,
  );
}
