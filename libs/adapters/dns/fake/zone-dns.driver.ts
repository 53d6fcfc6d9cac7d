import { followAliases } from '../port/aliases';
import { DnsPort, type DnsAnswer, type DnsOptions, type RecordData, type RecordType } from '../port/dns.port';
import { parseDomainName } from '../port/domain-name';
import { unlessAborted } from '../port/until-aborted';
import { Zone, type ZoneTable } from './zone';

export interface RecordedQuery {
  readonly name: string;
  readonly type: RecordType;
  readonly fresh: boolean;
}

/**
 * A domain name system in memory, for tests. It keeps nothing: every call is a question that counts. Failures come at once, also
 * `timeout`; nothing waits unless `pace` does.
 */
export class ZoneDnsDriver extends DnsPort {
  readonly zone: Zone;
  /** Every question so far, in order; those for names that no server could know are none. */
  readonly queries: RecordedQuery[] = [];
  /** Awaited before each answer, so that a test can hold questions back. */
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
