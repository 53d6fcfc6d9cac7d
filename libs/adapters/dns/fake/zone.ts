import { parse } from 'ipaddr.js';
import { type AliasFound } from '../port/aliases';
import { type DnsAnswer, type DnsFailure, type RecordData, type RecordType } from '../port/dns.port';
import { listWithAncestors, parseDomainName, toRecordName } from '../port/domain-name';

export type FailureKind = DnsFailure['kind'];

/** The records of one name. An entry without records is an existing empty name. */
export type ZoneRecords = {
  readonly [T in Exclude<RecordType, 'CNAME'>]?: readonly RecordData[T][] | FailureKind;
} & {
  /** An alias has no other records (RFC 1034, section 3.6.2). */
  readonly CNAME?: string;
  /** TTL of all records in seconds. Default: 300. */
  readonly ttl?: number;
};

/**
 * Names with their records, or with the failure of every query for them. `*.example.com` is a wildcard (RFC 4592). An ancestor of a name in
 * the table exists without records; all other names do not exist. The SOA of the name or its nearest ancestor sets the TTL of negative
 * answers; without an SOA they are not cacheable.
 */
export type ZoneTable = Readonly<Record<string, ZoneRecords | FailureKind>>;

const DEFAULT_TTL = 300;

/** The records in the port's format, regardless of their spelling in the table. */
const TIDY: { readonly [T in RecordType]: (record: RecordData[T]) => RecordData[T] } = {
  A: (address) => address,
  AAAA: (address) => parse(address).toString(),
  CNAME: toRecordName,
  MX: ({ exchange, priority }) => ({ exchange: toRecordName(exchange), priority }),
  NS: toRecordName,
  PTR: toRecordName,
  SOA: ({ primary, serial, minimum }) => ({ primary: toRecordName(primary), serial, minimum }),
  TXT: (text) => text,
};

/** Answers queries from a table like an authoritative server (RFC 1034, section 4.3.2), without following aliases. */
export class Zone {
  readonly #entries = new Map<string, ZoneRecords | FailureKind>();
  /** The number of table names at or below a name; a name with at least one exists. */
  readonly #below = new Map<string, number>();

  constructor(table: ZoneTable = {}) {
    this.change(table);
  }

  /** Adds the names of the table and replaces the records of names that exist. */
  change(table: ZoneTable): void {
    for (const [name, entry] of Object.entries(table)) {
      const owner = toOwnerName(name);
      refuseMistakes(owner, entry);
      if (!this.#entries.has(owner)) this.#count(owner, 1);
      this.#entries.set(owner, entry);
    }
  }

  /** Removes names with their records. */
  remove(...names: readonly string[]): void {
    for (const owner of names.map(toOwnerName)) if (this.#entries.delete(owner)) this.#count(owner, -1);
  }

  /** @param name in the format of `parseDomainName` */
  find<T extends RecordType>(name: string, type: T): DnsAnswer<RecordData[T]> | AliasFound {
    const entry = this.#entryFor(name);
    if (typeof entry === 'string') return toFailure(name, type, entry);
    if (entry === null) return { kind: 'nxdomain', ttl: this.#negativeTtl(name) };
    const ttl = entry.ttl ?? DEFAULT_TTL;
    if (entry.CNAME !== undefined && type !== 'CNAME') {
      return { kind: 'alias', targets: [toRecordName(entry.CNAME)], ttl };
    }
    const records = type === 'CNAME' ? findAlias(entry) : entry[type as Exclude<T, 'CNAME'>];
    if (typeof records === 'string') return toFailure(name, type, records);
    if (records === undefined || records.length === 0) return { kind: 'nodata', ttl: this.#negativeTtl(name) };
    return { kind: 'records', records: records.map((record) => normalizeRecord(type, record as RecordData[T])), ttl };
  }

  /** The SOA of a name's zone for negative answers; `null` where the table has none. */
  authority(name: string): { readonly name: string; readonly soa: RecordData['SOA']; readonly ttl: number } | null {
    for (const ancestor of listWithAncestors(name)) {
      const entry = this.#entries.get(ancestor);
      if (typeof entry === 'object' && Array.isArray(entry.SOA)) {
        const [soa] = entry.SOA as readonly RecordData['SOA'][];
        if (soa) return { name: ancestor, soa, ttl: entry.ttl ?? DEFAULT_TTL };
      }
    }
    return null;
  }

  /** `null`: the name does not exist. */
  #entryFor(name: string): ZoneRecords | FailureKind | null {
    const [, ...above] = listWithAncestors(name);
    if (this.#exists(name)) return this.#entries.get(name) ?? {};
    // Only the wildcard directly below the closest existing name applies (RFC 4592, section 3.3.1).
    const encloser = above.find((ancestor) => this.#exists(ancestor)) ?? '.';
    return this.#entries.get(encloser === '.' ? '*' : `*.${encloser}`) ?? null;
  }

  #exists(name: string): boolean {
    return name === '.' || (this.#below.get(name) ?? 0) > 0;
  }

  #count(owner: string, by: 1 | -1): void {
    for (const name of listWithAncestors(owner)) this.#below.set(name, (this.#below.get(name) ?? 0) + by);
  }

  #negativeTtl(name: string): number {
    const authority = this.authority(name);
    return authority ? Math.min(authority.ttl, authority.soa.minimum) : 0;
  }
}

function toOwnerName(text: string): string {
  const name = parseDomainName(text);
  if (name === null) throw new Error(`A zone cannot hold the name ${JSON.stringify(text)}`);
  return name;
}

function refuseMistakes(owner: string, entry: ZoneRecords | FailureKind): void {
  if (typeof entry === 'string') return;
  const { CNAME, ttl: _ttl, ...others } = entry;
  if (CNAME !== undefined && Object.keys(others).length > 0) throw new Error(`${owner} has an alias and other records`);
  const texts = Array.isArray(entry.TXT) ? (entry.TXT as readonly string[]) : [];
  if (texts.some((text) => /[^\0-\xff]/.test(text)))
    throw new Error(`A TXT of ${owner} has more than a byte a character`);
}

function findAlias(entry: ZoneRecords): readonly string[] {
  return entry.CNAME === undefined ? [] : [entry.CNAME];
}

function normalizeRecord<T extends RecordType>(type: T, record: RecordData[T]): RecordData[T] {
  return TIDY[type](record);
}

function toFailure(name: string, type: RecordType, kind: FailureKind): DnsFailure {
  return { kind, message: `The question for ${type} of ${name} ends so in this zone: ${kind}` };
}
