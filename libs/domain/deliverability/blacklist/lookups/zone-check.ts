import { type DnsAnswer } from '@adapters/dns';
import { type BlacklistZone } from '../zones/zone';
import { isCode, getNumber, type ZoneCode } from '../zones/zone-code';

/**
 * Result of a zone for a subject. `unknown`: the zone gave no usable answer (refusal, silence, unknown code); `zone_broken`: its
 * answers are worthless, for example because it lists everything.
 */
export const CHECK_RESULTS = ['listed', 'clear', 'unknown', 'zone_broken'] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

export const LISTING_KINDS = ['abuse', 'policy'] as const;
export type ListingKind = (typeof LISTING_KINDS)[number];

/** Meaning of an answer. */
export interface Verdict {
  readonly result: CheckResult;
  /** For a listing: the most severe of its codes. */
  readonly listing: ListingKind | null;
  /** At most ten addresses of the answer. */
  readonly codes: readonly string[];
  /** Meaning of the codes, or why the result is unknown; null when clear. */
  readonly meaning: string | null;
  /** Why the result is unknown; null otherwise. */
  readonly cause: UnknownCause | null;
}

/**
 * `silent`: no answer, a later query may help; `refused`: the zone refuses this installation; `unknown_code`: an undocumented
 * answer.
 */
export type UnknownCause = 'silent' | 'refused' | 'unknown_code';

const LOOPBACK = [getNumber('127.0.0.0') ?? 0, getNumber('127.255.255.255') ?? 0] as const;
/** Answers of Spamhaus and others to clients without access: 252 mistyped zone, 254 public resolver, 255 too many queries. */
const REFUSALS: readonly ZoneCode[] = [
  { answer: '127.255.255.252', means: 'refused', label: 'refused: the name of the zone is wrong' },
  { answer: '127.255.255.254', means: 'refused', label: 'refused: asked through a public resolver' },
  { answer: '127.255.255.255', means: 'refused', label: 'refused: too many questions' },
  { answer: '127.255.255.0-127.255.255.251', means: 'refused', label: 'refused' },
  { answer: '127.255.255.253', means: 'refused', label: 'refused' },
];
/** No zone uses 127.0.0.1 for a listing, and several for a refusal. A zone's own codes come first. */
const NO_CODE: ZoneCode = { answer: '127.0.0.1', means: 'refused', label: 'refused: 127.0.0.1 is no listing' };
const UNDECLARED = 'listed';
const MOST_CODES = 10;

/** Own wording: messages of the resolver may contain the operator's key or name servers. */
const SILENCES = {
  servfail: 'The name servers of the zone could not find out',
  timeout: 'No answer came in time',
  malformed: 'What came is no answer',
  unreachable: 'No name server could be reached',
} as const;

/** Evaluates the answer to the A query for a subject. */
export function getVerdict(zone: Pick<BlacklistZone, 'codes'>, answer: DnsAnswer<string>): Verdict {
  switch (answer.kind) {
    case 'records':
      return toAddressVerdict(zone, answer.records);
    case 'nxdomain':
    case 'nodata':
      return { result: 'clear', listing: null, codes: [], meaning: null, cause: null };
    case 'refused':
      return createUnknown([], 'The name server of the zone refuses us', 'refused');
    case 'servfail':
    case 'timeout':
    case 'malformed':
    case 'unreachable':
      return createUnknown([], SILENCES[answer.kind], 'silent');
  }
}

function toAddressVerdict({ codes }: Pick<BlacklistZone, 'codes'>, all: readonly string[]): Verdict {
  const addresses = all.slice(0, MOST_CODES);
  const strange = all.find((address) => !isLoopback(address));
  if (strange !== undefined) {
    const meaning = `Answers ${strange}, which is not an answer of a blacklist (RFC 5782, section 2.1): another server answers in its place`;
    return { result: 'zone_broken', listing: null, codes: addresses, meaning, cause: null };
  }
  const known = all.flatMap((address) => listMeanings(codes, address));
  const listings = known.filter(({ means }) => means === 'abuse' || means === 'policy');
  if (listings.length > 0) {
    const listing = listings.some(({ means }) => means === 'abuse') ? 'abuse' : 'policy';
    return { result: 'listed', listing, codes: addresses, meaning: getLabels(listings), cause: null };
  }
  const refusals = known.filter(({ means }) => means === 'refused');
  if (refusals.length > 0) return createUnknown(addresses, getLabels(refusals), 'refused');
  if (known.length > 0) {
    return { result: 'clear', listing: null, codes: addresses, meaning: getLabels(known), cause: null };
  }
  return createUnknown(addresses, `Answers ${addresses.join(', ')}, whose meaning is not known`, 'unknown_code');
}

/** The zone's own codes come first: only they define bits and may use 127.0.0.1. */
function listMeanings(codes: readonly ZoneCode[], address: string): readonly ZoneCode[] {
  const refused = REFUSALS.find((code) => isCode(code, address));
  if (refused) return [refused];
  const own = codes.filter((code) => isCode(code, address));
  if (own.length > 0) return own;
  if (isCode(NO_CODE, address)) return [NO_CODE];
  return codes.length === 0 ? [{ answer: address, means: 'abuse', label: UNDECLARED }] : [];
}

function createUnknown(codes: readonly string[], meaning: string, cause: UnknownCause): Verdict {
  return { result: 'unknown', listing: null, codes, meaning, cause };
}

function getLabels(codes: readonly ZoneCode[]): string {
  return [...new Set(codes.map(({ label }) => label))].join('; ');
}

function isLoopback(address: string): boolean {
  const number = getNumber(address);
  return number !== null && number >= LOOPBACK[0] && number <= LOOPBACK[1];
}
