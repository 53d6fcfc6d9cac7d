import { type ClockPort } from '@platform/clock';
import pLimit from 'p-limit';
import { followAliases } from '../port/aliases';
import { DnsPort, type DnsAnswer, type DnsOptions, type RecordData, type RecordType } from '../port/dns.port';
import { parseDomainName } from '../port/domain-name';
import { Deadline } from '../transport/time-left';
import { type Question } from '../message/dns-message';
import { type Step } from '../message/dns-reply';
import { AnswerCache } from './answer-cache';
import { QueryCoalescer } from './query-coalescer';
import { NameServers } from './name-servers';
import { queryServers } from './ask-servers';

export interface ResolverOptions {
  /** As in `DNS_SERVERS`; none: those of the machine. */
  readonly servers: readonly string[];
  /** Milliseconds for one question with everything, from when it is sent. Default: 5 000. */
  readonly timeoutMs?: number;
  /** Milliseconds for the first server to answer. Default: 1 000. */
  readonly firstWaitMs?: number;
  /** Questions underway at once; others wait for their turn. Default: 100. */
  readonly concurrency?: number;
  /** Answers that are kept. Default: 50 000. */
  readonly maxEntries?: number;
}

const DEFAULTS = { timeoutMs: 5_000, firstWaitMs: 1_000, concurrency: 100, maxEntries: 50_000 };
const MAX_CACHED_CHARACTERS = 32 * 1024 * 1024;

/**
 * Asks the operator's resolvers over UDP and TCP. Not by Node's own resolver: that one does not tell for how long a TXT, an MX
 * or a denial may be kept, nor what was wrong with an answer.
 *
 * A question that is underway is not asked twice at the same time, and an answer is kept for as long as it says.
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
    const look = (stop: AbortSignal) => this.#resolve({ name: owner, type }, fresh, stop);
    const answer = await this.#queries.join(getKey({ name: owner, type }), look, { signal, afresh: fresh });
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
      // Waiting for a turn takes nothing from the time for the question.
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
