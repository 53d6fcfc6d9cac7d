import { DnsPort, type DnsAnswer, type DnsOptions, type RecordData, type RecordType } from '@adapters/dns';

/** Asks each question once, for one check: a record that names a host ten times costs its server one question. */
export class CachedDnsDriver extends DnsPort {
  readonly #answers = new Map<string, Promise<unknown>>();

  /** @param options of every question */
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
    const asked = this.dns.query(name, type, this.options);
    this.#answers.set(key, asked);
    return asked;
  }
}
