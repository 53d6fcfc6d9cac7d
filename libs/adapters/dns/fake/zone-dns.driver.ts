import { unlessAborted } from '@platform/concurrency';
import { followAliases } from '../port/aliases';
import { DnsPort, type DnsAnswer, type DnsOptions, type RecordData, type RecordType } from '../port/dns.port';
import { parseDomainName } from '../port/domain-name';
import { Zone, type ZoneTable } from './zone';

export interface RecordedQuery {
  readonly name: string;
  readonly type: RecordType;
  readonly fresh: boolean;
}

/**
 * An in-memory DNS for tests. It caches nothing: every call counts as a query. Failures are immediate, including `timeout`; only `pace`
 * delays answers.
 */
export class ZoneDnsDriver extends DnsPort {
  readonly zone: Zone;
  /** Every query so far, in order; invalid names are not recorded. */
  readonly queries: RecordedQuery[] = [];
  /** Awaited before each answer, so that a test can delay queries. */
  delays: ((question: RecordedQuery) => Promise<void>) | undefined;

  constructor(table: ZoneTable = {}) {
    super();
    this.zone = new Zone(table);
  }

  override async query<T extends RecordType>(
    name: string,
    type: T,
    { signal, fresh = false }: DnsOptions = {},
  ): Promise<DnsAnswer<RecordData[T]>> {
    signal?.throwIfAborted();
    const owner = parseDomainName(name);
    if (owner === null) return { kind: 'nxdomain', ttl: 0 };
    const question = { name: owner, type, fresh };
    this.queries.push(question);
    await unlessAborted(this.delays?.(question) ?? Promise.resolve(), signal);
    return followAliases(owner, (current) => Promise.resolve(this.zone.find(current, type)));
  }
}
