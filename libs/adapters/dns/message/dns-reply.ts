import { isIPv4, isIPv6 } from 'node:net';
import { type Answer } from 'dns-packet';
import { parse } from 'ipaddr.js';
import { type AliasFound, MAX_ALIASES } from '../port/aliases';
import { type DnsAnswer, type DnsFailure, type RecordData, type RecordType } from '../port/dns.port';
import { listWithAncestors, toRecordName } from '../port/domain-name';
import { type Question, RCODE, type Reply } from './dns-message';
import { MalformedReplyError } from './dns-message.errors';

/** Upper bounds of TTLs in seconds: a day for records, 3 hours for denials (RFC 2308, section 5). */
const MAX_TTL = 86_400;
const MAX_NEGATIVE_TTL = 3 * 3600;
/** A TTL with the top bit set counts as zero (RFC 2181, section 8). */
const TTL_BITS = 0x7fffffff;

export type Step<T extends RecordType = RecordType> = DnsAnswer<RecordData[T]> | AliasFound;

/**
 * Reads the answer to a question. Only records of the requested name, or of the end of its aliases, count; other records are ignored (RFC
 * 5452, section 6).
 * @throws MalformedReplyError when a counted record is invalid for its type
 */
export function readDnsReply<T extends RecordType>(reply: Reply, { name, type }: Question & { type: T }): Step<T> {
  if (reply.rcode !== RCODE.noError && reply.rcode !== RCODE.nxDomain) return toDnsFailure(reply.rcode);
  const chain = type === 'CNAME' ? { targets: [], ttl: MAX_TTL } : listAliases(reply.answers, name);
  const [first, ...others] = chain.targets;
  const end = chain.targets.at(-1) ?? name;
  const further: AliasFound | null =
    first === undefined ? null : { kind: 'alias', targets: [first, ...others], ttl: chain.ttl };
  // The caller detects loops and chains that are too long.
  if (further && (chain.targets.length > MAX_ALIASES || chain.loops)) return further;
  const denialTtl = Math.min(chain.ttl, getNegativeTtl(reply.authorities, end) ?? 0);
  // The code concerns the target of the aliases (RFC 6604, section 3).
  if (reply.rcode === RCODE.nxDomain) return { kind: 'nxdomain', ttl: denialTtl };
  const records = reply.answers.filter((record) => isAbout(record, end) && record.type === type);
  if (records.length > 0) {
    const ttl = Math.min(chain.ttl, ...records.map(getTtl));
    return { kind: 'records', records: records.map((record) => parseData(record, type)), ttl };
  }
  const isDenied = getNegativeTtl(reply.authorities, end) !== null;
  // A server that is authoritative for the alias only does not resolve its target.
  if (further && !isDenied) return further;
  if (!isDenied && isReferral(reply))
    return { kind: 'refused', message: 'The server returns a referral: it does not resolve names recursively' };
  return { kind: 'nodata', ttl: denialTtl };
}

function toDnsFailure(rcode: number): DnsFailure {
  if (rcode === RCODE.servFail || rcode === RCODE.yxDomain)
    return { kind: 'servfail', message: 'The server could not resolve the name' };
  return { kind: 'refused', message: `The server refuses to answer (code ${rcode})` };
}

/** The alias chain of a name within the answer. */
function listAliases(answers: readonly Answer[], name: string): { targets: string[]; ttl: number; loops?: boolean } {
  const targets: string[] = [];
  for (let current = name, ttl = MAX_TTL; ;) {
    const alias = answers.find((record) => record.type === 'CNAME' && isAbout(record, current));
    if (!alias) return { targets, ttl };
    current = parseData(alias, 'CNAME') || '.';
    ttl = Math.min(ttl, getTtl(alias));
    const loops = current === name || targets.includes(current);
    targets.push(current);
    if (loops || targets.length > MAX_ALIASES) return { targets, ttl, loops };
  }
}

/** TTL of the negative answer in seconds, bounded by the SOA's TTL and its last field; `null` without an SOA. */
function getNegativeTtl(authorities: readonly Answer[], name: string): number | null {
  const zones = listWithAncestors(name);
  const soa = authorities.find((record) => record.type === 'SOA' && zones.some((zone) => isAbout(record, zone)));
  return soa ? Math.min(getTtl(soa), parseData(soa, 'SOA').minimum, MAX_NEGATIVE_TTL) : null;
}

/** Non-recursive servers return a referral. */
function isReferral({ authoritative, authorities }: Reply): boolean {
  return !authoritative && authorities.some((record) => record.type === 'NS');
}

function isAbout(record: Answer, name: string): boolean {
  // `flush` is a bit of the class that only multicast DNS has.
  if (record.type === 'OPT' || record.class !== 'IN' || record.flush) return false;
  return (toRecordName(record.name) || '.') === name;
}

function getTtl(record: Answer): number {
  const ttl = 'ttl' in record ? (record.ttl ?? 0) : 0;
  return ttl > TTL_BITS ? 0 : Math.min(ttl, MAX_TTL);
}

/** Converts a record of the codec to the port's format; the codec validates little. */
function parseData<T extends RecordType>(record: Answer, type: T): RecordData[T] {
  const data: unknown = 'data' in record ? record.data : undefined;
  return READERS[type](data);
}

const READERS: { readonly [T in RecordType]: (data: unknown) => RecordData[T] } = {
  A: (data) => (typeof data === 'string' && isIPv4(data) ? data : createMalformedError('A')),
  AAAA: (data) => (typeof data === 'string' && isIPv6(data) ? parse(data).toString() : createMalformedError('AAAA')),
  CNAME: requireName,
  NS: requireName,
  PTR: requireName,
  MX: (data) => {
    const { exchange, preference } = data as { exchange: string; preference: number };
    return { exchange: requireName(exchange), priority: preference };
  },
  SOA: (data) => {
    const { mname, serial, minimum } = data as { mname: string; serial: number; minimum: number };
    return { primary: requireName(mname), serial, minimum };
  },
  TXT: (data) => Buffer.concat(data as Buffer[]).toString('latin1'),
};

function requireName(data: unknown): string {
  return typeof data === 'string' ? toRecordName(data) : createMalformedError('name');
}

function createMalformedError(type: string): never {
  throw new MalformedReplyError(`A record of type ${type} cannot be read`);
}
