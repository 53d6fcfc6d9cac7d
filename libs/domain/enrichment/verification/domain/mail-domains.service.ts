import { DnsPort } from '@adapters/dns';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { OutboundAddressService, OutboundError } from '@platform/outbound';
import { type DomainFacts, type KnownDomain, resolveMailDomain } from './domain-facts';

interface CachedDomain {
  readonly facts: DomainFacts;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Maximum number of cached domains, of some 300 octets each. */
export const MAX_DOMAINS = 20_000;
/** Minimum time in the cache: the addresses of one list come together. */
export const MIN_CACHE_MS = 60_000;
/** Maximum time in the cache, so that a change of the domain is noticed. */
export const MAX_CACHE_MS = 3_600_000;
/** Time in the cache for an unanswered query (milliseconds): neither repeated for each address nor avoided for long. */
export const UNANSWERED_CACHE_MS = 30_000;
/** Milliseconds for all queries about one domain. */
const LOOKUP_TIMEOUT_MS = 20_000;

const SECOND_MS = 1_000;

/**
 * Resolves the mail hosts of domains once per domain, not once per address. Results are cached; concurrent requests
 * share one look-up. The least recently used entry is evicted first.
 */
@Injectable()
export class MailDomainsService {
  readonly #cache = new Map<string, CachedDomain>();
  readonly #pending = new Map<string, Promise<DomainFacts>>();

  constructor(
    private readonly dns: DnsPort,
    private readonly guard: OutboundAddressService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * @param domain in A-labels and lower case
   * @throws the signal's reason when it is aborted; the look-up continues for other requests
   */
  async getFacts(domain: string, signal?: AbortSignal): Promise<DomainFacts> {
    signal?.throwIfAborted();
    const known = this.#findCached(domain);
    if (known) return known;
    const lookup = this.#pending.get(domain) ?? this.#startLookup(domain);
    return signal ? waitUntilAborted(lookup, signal) : lookup;
  }

  /** Whether mail may be delivered to an IP address or address literal. */
  allows(address: string): boolean {
    try {
      this.guard.refuseLiteral(address);
      return true;
    } catch (error) {
      if (error instanceof OutboundError) return false;
      throw error;
    }
  }

  #findCached(domain: string): DomainFacts | null {
    const cached = this.#cache.get(domain);
    if (!cached) return null;
    this.#cache.delete(domain);
    if (cached.until <= this.clock.now().getTime()) return null;
    this.#cache.set(domain, cached);
    return cached.facts;
  }

  #startLookup(domain: string): Promise<DomainFacts> {
    const lookup = this.#resolve(domain).finally(() => this.#pending.delete(domain));
    this.#pending.set(domain, lookup);
    // Each waiting request gets the error; without one it is ignored.
    lookup.catch(() => undefined);
    return lookup;
  }

  async #resolve(domain: string): Promise<DomainFacts> {
    const found = await this.#resolveInTime(domain);
    this.#cache.set(domain, { facts: found.facts, until: this.clock.in(getCacheMs(found)).getTime() });
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= MAX_DOMAINS) break;
      this.#cache.delete(oldest);
    }
    return found.facts;
  }

  async #resolveInTime(domain: string): Promise<KnownDomain> {
    const signal = AbortSignal.timeout(LOOKUP_TIMEOUT_MS);
    const allows = (address: string): boolean => this.allows(address);
    try {
      return await resolveMailDomain(domain, { dns: this.dns, allows, signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      return { facts: { kind: 'unanswered' }, ttl: 0 };
    }
  }
}

function getCacheMs({ facts, ttl }: KnownDomain): number {
  if (facts.kind === 'unanswered') return UNANSWERED_CACHE_MS;
  return Math.min(Math.max(ttl * SECOND_MS, MIN_CACHE_MS), MAX_CACHE_MS);
}

function waitUntilAborted<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const give = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', give, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}
