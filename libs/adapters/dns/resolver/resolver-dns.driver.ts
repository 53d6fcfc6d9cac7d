import { type ClockPort } from '@platform/clock';
import pLimit from 'p-limit';
import { followAliases } from '../port/aliases';
import { DnsPort, type DnsAnswer, type DnsOptions, type RecordData, type RecordType } from '../port/dns.port';
import { parseDomainName } from '../port/domain-name';
import { Deadline } from '../transport/deadline';
import { type Question } from '../message/dns-message';
import { type Step } from '../message/dns-reply';
import { AnswerCache } from './answer-cache';
import { QueryCoalescer } from './query-coalescer';
import { NameServers } from './name-servers';
import { queryServers } from './ask-servers';

export interface ResolverOptions {
  /** In the form of `DNS_SERVERS`; none: the servers of the machine. */
  readonly servers: readonly string[];
  /** Timeout of a query in milliseconds, from its first packet on. Default: 5 000. */
  readonly timeoutMs?: number;
  /** Milliseconds for the first server to answer. Default: 1 000. */
  readonly firstWaitMs?: number;
  /** Concurrent queries; others wait for a slot. Default: 100. */
  readonly concurrency?: number;
  /** Cached answers. Default: 50 000. */
  readonly maxEntries?: number;
}

const DEFAULTS = { timeoutMs: 5_000, firstWaitMs: 1_000, concurrency: 100, maxEntries: 50_000 };
const MAX_CACHED_CHARACTERS = 32 * 1024 * 1024;

/**
 * Queries the operator's resolvers over UDP and TCP. Node's own resolver is not used, because it returns no TTL of TXT, MX or
 * denials, and no details of failures.
 *
 * Concurrent identical queries are combined, and answers are cached for their TTL.
 */
export class ResolverDnsDriver extends DnsPort {
  readonly #servers: NameServers;
  readonly #cache: AnswerCache;
  readonly #queries = new QueryCoalescer<DnsAnswer<unknown>>();
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #timeoutMs: number;
  readonly #firstWaitMs: number;
  #queryCount = 0;

  constructor(options: ResolverOptions, clock: ClockPort) {
    super();
    const { servers, timeoutMs, firstWaitMs, concurrency, maxEntries } = { ...DEFAULTS, ...options };
    this.#servers = new NameServers(servers, clock);
    this.#cache = new AnswerCache(clock, { maxEntries, maxSize: MAX_CACHED_CHARACTERS });
    this.#limit = pLimit(concurrency);
    this.#timeoutMs = timeoutMs;
    this.#firstWaitMs = firstWaitMs;
  }

  override async query<T extends RecordType>(
    name: string,
    type: T,
    { signal, fresh = false }: DnsOptions = {},
  ): Promise<DnsAnswer<RecordData[T]>> {
    signal?.throwIfAborted();
    const owner = parseDomainName(name);
    if (owner === null) return { kind: 'nxdomain', ttl: 0 };
    const resolve = (stop: AbortSignal) => this.#resolve({ name: owner, type }, fresh, stop);
    const answer = await this.#queries.join(getKey({ name: owner, type }), resolve, { signal, afresh: fresh });
    // The key holds the type.
    return answer as DnsAnswer<RecordData[T]>;
  }

  #resolve<T extends RecordType>(
    { name, type }: Question & { type: T },
    fresh: boolean,
    signal: AbortSignal,
  ): Promise<DnsAnswer<RecordData[T]>> {
    const asOf = (this.#queryCount += 1);
    let left = this.#timeoutMs;
    return followAliases(name, async (current) => {
      const question = { name: current, type };
      const known = fresh ? null : this.#cache.get(getKey(question));
      if (known) return known as Step<T>;
      // The wait for a slot does not count against the timeout of the query.
      const step = await this.#limit(async () => {
        signal.throwIfAborted();
        const deadline = new Deadline(left);
        const found = await queryServers(this.#servers, question, { firstWaitMs: this.#firstWaitMs, deadline, signal });
        left = deadline.leftMs;
        return found;
      });
      this.#cache.store(getKey(question), step, asOf);
      return step;
    });
  }
}

function getKey({ name, type }: Question): string {
  return `${type} ${name}`;
}
