/** Record types that the platform queries. */
export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'PTR' | 'SOA' | 'TXT';

export interface MxRecord {
  /** Host name without the final dot; '' for the root, as in a null MX (RFC 7505). */
  readonly exchange: string;
  readonly priority: number;
}

export interface SoaRecord {
  readonly primary: string;
  readonly serial: number;
  /** The maximum TTL of a negative answer of the zone, in seconds (RFC 2308, section 5). */
  readonly minimum: number;
}

/** The content of a record by type. Names are in lower case without the final dot. */
export interface RecordData {
  A: string;
  AAAA: string;
  CNAME: string;
  MX: MxRecord;
  NS: string;
  PTR: string;
  SOA: SoaRecord;
  /** The character-strings of one record, joined without separators (RFC 7208, section 3.3); one character per byte. */
  TXT: string;
}

/** The records, in the order of the answer. */
export interface DnsRecords<T> {
  readonly kind: 'records';
  readonly records: readonly T[];
  /** TTL of the answer in seconds: the smallest of all its records, including aliases. */
  readonly ttl: number;
}

/** A negative answer: the name does not exist, or has no record of the type. */
export interface DnsNothing {
  readonly kind: 'nxdomain' | 'nodata';
  readonly ttl: number;
}

/**
 * No answer: the outcome is unknown, and a retry may help. `servfail`: the server could not resolve the name; `timeout`: no server answered
 * in time; `refused`: the server refuses to answer us; `malformed`: the answer is invalid; `unreachable`: no server could be reached.
 */
export interface DnsFailure {
  readonly kind: 'servfail' | 'timeout' | 'refused' | 'malformed' | 'unreachable';
  /** For display. */
  readonly message: string;
}

export type DnsAnswer<T> = DnsRecords<T> | DnsNothing | DnsFailure;

export interface DnsOptions {
  readonly signal?: AbortSignal;
  /** Bypasses the cache, so that recent changes are visible. The answer is still cached. */
  readonly fresh?: boolean;
}

/**
 * Queries DNS (RFC 1034, 1035) through the operator's resolvers. Up to twelve aliases (CNAME) are followed, unless the query is for CNAME.
 * Never throws for a server's behaviour.
 */
export abstract class DnsPort {
  /**
   * @param name host name in A-labels, with or without the final dot; an impossible name (an empty label, a label of more than 63 octets,
   * more than 253 in all, a control character) returns `nxdomain` without a query
   * @throws the signal's reason when it is aborted
   */
  abstract query<T extends RecordType>(name: string, type: T, options?: DnsOptions): Promise<DnsAnswer<RecordData[T]>>;
}
