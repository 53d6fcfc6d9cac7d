import { type DnsAnswer } from '@adapters/dns';
import { type BlacklistZone } from '../zones/zone';
import { isCode, getNumber, type ZoneCode } from '../zones/zone-code';

/**
 * What is known of a subject in a zone. `unknown`: the zone did not say (refused, no answer, a code that nobody knows);
 * `zone_broken`: what it says is worth nothing, such as listing everybody.
 */
export const CHECK_RESULTS = ['listed', 'clear', 'unknown', 'zone_broken'] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

export const LISTING_KINDS = ['abuse', 'policy'] as const;
export type ListingKind = (typeof LISTING_KINDS)[number];

/** What an answer means. */
export interface Verdict {
  readonly result: CheckResult;
  /** Of a listing: the graver of its codes. */
  readonly listing: ListingKind | null;
  /** The addresses that the zone answered, at most ten. */
  readonly codes: readonly string[];
  /** What they mean, or why nothing is known; null when it is clear. */
  readonly meaning: string | null;
  /** Why nothing is known; null when something is. */
  readonly cause: UnknownCause | null;
}

/** `silent`: no answer came, asking later may help; `refused`: the zone does not answer us; `unknown_code`: it said something. */
export type UnknownCause = 'silent' | 'refused' | 'unknown_code';

const LOOPBACK = [getNumber('127.0.0.0') ?? 0, getNumber('127.255.255.255') ?? 0] as const;
/** What Spamhaus, and others after it, answer who may not ask: 252 a mistyped zone, 254 a public resolver, 255 too many questions. */
const REFUSALS: readonly ZoneCode[] = [
  { answer: '127.255.255.252', means: 'refused', label: 'refused: the name of the zone is wrong' },
  { answer: '127.255.255.254', means: 'refused', label: 'refused: asked through a public resolver' },
  { answer: '127.255.255.255', means: 'refused', label: 'refused: too many questions' },
  { answer: '127.255.255.0-127.255.255.251', means: 'refused', label: 'refused' },
  { answer: '127.255.255.253', means: 'refused', label: 'refused' },
];
/** No list uses it for a listing; several refuse by it. Unless the zone says what it means. */
const NO_CODE: ZoneCode = { answer: '127.0.0.1', means: 'refused', label: 'refused: 127.0.0.1 is no listing' };
const UNDECLARED = 'listed';
const MOST_CODES = 10;

/** Words of our own: those of DNS may have the key in them under which the zone is asked, and name the operator's servers. */
const SILENCES = {
  servfail: 'The name servers of the zone could not find out',
  timeout: 'No answer came in time',
  malformed: 'What came is no answer',
  unreachable: 'No name server could be reached',
} as const;

/** What a zone says of a subject, by its answer to the question for A. */
export function getVerdict(zone: Pick<BlacklistZone, 'codes'>, answer: DnsAnswer<string>): Verdict {
  switch (answer.kind) {
    case 'records':
      return ofAddresses(zone, answer.records);
    case 'nxdomain':
    case 'nodata':
      return { result: 'clear', listing: null, codes: [], meaning: null, cause: null };
    case 'refused':
      return unknown([], 'The name server of the zone refuses us', 'refused');
    case 'servfail':
    case 'timeout':
    case 'malformed':
    case 'unreachable':
      return unknown([], SILENCES[answer.kind], 'silent');
  }
}

function ofAddresses({ codes }: Pick<BlacklistZone, 'codes'>, all: readonly string[]): Verdict {
  const addresses = all.slice(0, MOST_CODES);
  const strange = all.find((address) => !isLoopback(address));
  if (strange !== undefined) {
    const meaning = `Answers ${strange}, which is no answer of a blacklist (RFC 5782, section 2.1): somebody else answers for it`;
    return { result: 'zone_broken', listing: null, codes: addresses, meaning, cause: null };
  }
  const known = all.flatMap((address) => meaningsOf(codes, address));
  const listings = known.filter(({ means }) => means === 'abuse' || means === 'policy');
  if (listings.length > 0) {
    const listing = listings.some(({ means }) => means === 'abuse') ? 'abuse' : 'policy';
    return { result: 'listed', listing, codes: addresses, meaning: labelsOf(listings), cause: null };
  }
  const refusals = known.filter(({ means }) => means === 'refused');
  if (refusals.length > 0) return unknown(addresses, labelsOf(refusals), 'refused');
  if (known.length > 0) {
    return { result: 'clear', listing: null, codes: addresses, meaning: labelsOf(known), cause: null };
  }
  return unknown(addresses, `Answers ${addresses.join(', ')}, of which it is not known what it means`, 'unknown_code');
}

/** The zone's own codes come first: only they know bits, and whether 127.0.0.1 means something there. */
function meaningsOf(codes: readonly ZoneCode[], address: string): readonly ZoneCode[] {
  const refused = REFUSALS.find((code) => isCode(code, address));
  if (refused) return [refused];
  const own = codes.filter((code) => isCode(code, address));
  if (own.length > 0) return own;
  if (isCode(NO_CODE, address)) return [NO_CODE];
  return codes.length === 0 ? [{ answer: address, means: 'abuse', label: UNDECLARED }] : [];
}

function unknown(codes: readonly string[], meaning: string, cause: UnknownCause): Verdict {
  return { result: 'unknown', listing: null, codes, meaning, cause };
}

function labelsOf(codes: readonly ZoneCode[]): string {
  return [...new Set(codes.map(({ label }) => label))].join('; ');
}

function isLoopback(address: string): boolean {
  const number = getNumber(address);
  return number !== null && number >= LOOPBACK[0] && number <= LOOPBACK[1];
}
