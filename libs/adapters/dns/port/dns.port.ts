/** Record types that the platform asks for. */
export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'PTR' | 'SOA' | 'TXT';

export interface MxRecord {
  /** Host name without the final dot; '' for the root, as a null MX has it (RFC 7505). */
  readonly exchange: string;
  readonly priority: number;
}

export interface SoaRecord {
  readonly primary: string;
  readonly serial: number;
  /** The maximum TTL of a negative answer of the zone, in seconds (RFC 2308, section 5). */
  readonly minimum: number;
}

/** What a record of each type says. Names have no final dot and are in lower case. */
export interface RecordData {
  A: string;
  AAAA: string;
  CNAME: string;
  MX: MxRecord;
  NS: string;
  PTR: string;
  SOA: SoaRecord;
  /** The character-strings of one record, joined with nothing between them (RFC 7208, section 3.3); one character a byte. */
  TXT: string;
}

/** There are records; in the order in which they were given. */
export interface DnsRecords<T> {
  readonly kind: 'records';
  readonly records: readonly T[];
  /** Seconds for which the answer is good: the smallest of all its records, those of aliases included. */
  readonly ttl: number;
}

/** An answer that says no: there is no such name, or nothing of that type under it. */
export interface DnsNothing {
  readonly kind: 'nxdomain' | 'nodata';
  readonly ttl: number;
}

/**
 * No answer: nothing is known, and asking later may help. `servfail`: the server says that it could not find out;
 * `timeout`: no server answered in time; `refused`: it will not answer us; `malformed`: what came is no answer to the
 * question; `unreachable`: no server could be reached at all.
 */
export interface DnsFailure {
  readonly kind: 'servfail' | 'timeout' | 'refused' | 'malformed' | 'unreachable';
  /** For a person. */
  readonly message: string;
}

export type DnsAnswer<T> = DnsRecords<T> | DnsNothing | DnsFailure;

export interface DnsOptions {
  readonly signal?: AbortSignal;
  /** Past the cache: what was just changed is seen. The answer is kept all the same. */
  readonly fresh?: boolean;
}

/**
 * Asks the domain name system (RFC 1034, 1035) through the operator's resolvers. Aliases (CNAME) are followed, up to twelve of them,
 * unless they are what is asked for. Never throws for what a server does or does not say.
 */
export abstract class DnsPort {
  /**
   * @param name host name in A-labels, with or without the final dot; one that no server could know (an empty label, more than 63
   *   octets in a label, more than 253 in all, a control character) is answered `nxdomain` without asking
   * @throws the signal's reason when it is aborted
   */
  abstract query<T extends RecordType>(name: string, type: T, options?: DnsOptions): Promise<DnsAnswer<RecordData[T]>>;
}
