import { DnsPort, type DnsAnswer, type DnsOptions, type RecordData, type RecordType } from '@adapters/dns';

/** Sends each query once per check: a record that names a host ten times costs one query. */
export class CachedDnsDriver extends DnsPort {
  readonly #answers = new Map<string, Promise<unknown>>();

  /** @param options of every query */
  constructor(
    private readonly dns: DnsPort,
    private readonly options: DnsOptions,
  ) {
    super();
  }

  override query<T extends RecordType>(name: string, type: T): Promise<DnsAnswer<RecordData[T]>> {
    const key = `${type} ${name.toLowerCase()}`;
    const known = this.#answers.get(key) as Promise<DnsAnswer<RecordData[T]>> | undefined;
    if (known) return known;
    const answer = this.dns.query(name, type, this.options);
    this.#answers.set(key, answer);
    return answer;
  }
}
