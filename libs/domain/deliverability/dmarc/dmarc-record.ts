import { noting, warning, type Problem } from '../check';
import { quoteRecord } from '../record-text';
import { trimBlanks } from '../tag-list';
import { readReportUris, type ReportUri } from './report-uri';

/** Requested treatment of failing mail, the mildest first. */
export const POLICIES = ['none', 'quarantine', 'reject'] as const;
export type Policy = (typeof POLICIES)[number];

/** Alignment mode: `r` relaxed (same organisation), `s` strict (same name). */
export type AlignmentMode = 'r' | 's';

/** A DMARC policy record (RFC 9989, section 4.7); absent and invalid tags have their default. */
export interface DmarcRecord {
  readonly text: string;
  /** null: absent or invalid. */
  readonly p: Policy | null;
  readonly sp: Policy | null;
  readonly np: Policy | null;
  /** Whether `sp` or `np` have an invalid value. */
  readonly subdomainPolicyInvalid: boolean;
  /** Whether the domain is a public suffix: yes, no, or not stated. */
  readonly psd: 'y' | 'n' | 'u';
  /** `t=y`: receivers apply one step less than the policy. */
  readonly testing: boolean;
  readonly adkim: AlignmentMode;
  readonly aspf: AlignmentMode;
  /** Addresses of aggregate reports. */
  readonly rua: readonly ReportUri[];
  /** Addresses of failure reports. */
  readonly ruf: readonly ReportUri[];
  /** Mistakes in the syntax. */
  readonly problems: readonly Problem[];
}

/** `"v" *WSP "=" *WSP %s"DMARC1"` and then the end or a semicolon; only the value is case-sensitive. */
const VERSION = /^[vV][ \t]{0,99}=[ \t]{0,99}DMARC1[ \t]{0,99}(?:;|$)/;
const DMARC_PREFIX = /dmarc\s{0,9}1/i;

const TAG_NAME = /^[A-Za-z]+$/;
const TAG_VALUE = /^[\x20-\x3a\x3c-\x7e]+$/;
const KNOWN: ReadonlySet<string> = new Set(['v', 'p', 'sp', 'np', 'psd', 't', 'adkim', 'aspf', 'rua', 'ruf', 'fo']);
/** Tags of RFC 7489 that RFC 9989 (9.3) made historic. */
const REMOVED: ReadonlySet<string> = new Set(['pct', 'rf', 'ri']);
/** Whether receivers accept the text as a DMARC record (RFC 9989, section 4.10, step 2); other text is discarded. */
export function isDmarcRecord(text: string): boolean {
  return VERSION.test(text);
}

/** Whether a discarded text is meant as a DMARC record. */
export function isLikeDmarc(text: string): boolean {
  return !isDmarcRecord(text) && DMARC_PREFIX.test(text.slice(0, 200));
}

/** Parses a text for which `isDmarcRecord` is true. Skips and lists mistakes, as the RFC requires; never throws. */
export function readDmarcRecord(text: string): DmarcRecord {
  const { tags, malformed, repeated } = split(text);
  const invalid: string[] = [];
  const oneOf = <T extends string>(name: string, values: readonly T[]): T | null => {
    const text = tags.get(name);
    const value = text?.toLowerCase();
    const known = values.find((each) => each === value) ?? null;
    if (text !== undefined && known === null) invalid.push(name);
    return known;
  };
  const policies = { p: oneOf('p', POLICIES), sp: oneOf('sp', POLICIES), np: oneOf('np', POLICIES) };
  const subdomainPolicyInvalid = invalid.includes('sp') || invalid.includes('np');
  const psd = oneOf('psd', ['y', 'n', 'u']) ?? 'u';
  const testing = oneOf('t', ['y', 'n']) === 'y';
  const modes = { adkim: oneOf('adkim', ['r', 's']) ?? 'r', aspf: oneOf('aspf', ['r', 's']) ?? 'r' } as const;
  if (!isReportOptions(tags.get('fo') ?? '0')) invalid.push('fo');
  const [rua, ruf] = [readReportUris(tags.get('rua')), readReportUris(tags.get('ruf'))];
  const problems = [...checkSyntax(malformed, repeated), ...checkInvalid(invalid), ...listOtherTags([...tags.keys()])];
  return { text, ...policies, subdomainPolicyInvalid, psd, testing, ...modes, rua, ruf, problems };
}

/** The first tag of each name in lower case; malformed tags; repeated names. */
function split(text: string): { tags: Map<string, string>; malformed: string[]; repeated: string[] } {
  const specs = text.split(';');
  if (trimBlanks(specs.at(-1) ?? '') === '') specs.pop();
  const tags = new Map<string, string>();
  const [malformed, repeated]: [string[], string[]] = [[], []];
  for (const spec of specs) {
    const equals = spec.indexOf('=');
    const name = trimBlanks(spec.slice(0, Math.max(equals, 0))).toLowerCase();
    const value = trimBlanks(spec.slice(equals + 1));
    if (!TAG_NAME.test(name) || !TAG_VALUE.test(value)) malformed.push(spec);
    else if (tags.has(name)) repeated.push(name);
    else tags.set(name, value);
  }
  return { tags, malformed, repeated };
}

/** RFC 9989, section 4.8 (`dmarc-fo`): `0` or `1`, `d`, `s`, each at most once and in any order. */
function isReportOptions(value: string): boolean {
  const options = value.split(':', 4).map((option) => trimBlanks(option).toLowerCase());
  const once = new Set(options);
  return once.size === options.length && options.every(isReportOption) && !(once.has('0') && once.has('1'));
}

function isReportOption(option: string): boolean {
  return option === '0' || option === '1' || option === 'd' || option === 's';
}

function checkSyntax([malformed]: readonly string[], [repeated]: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  if (malformed !== undefined) {
    const message = `Receivers pass over a part of the DMARC record that is no tag: ${quoteRecord(malformed)}. Write name=value, and one semicolon between two tags.`;
    problems.push(warning('syntax', message));
  }
  if (repeated !== undefined) {
    const message = `The DMARC record has the tag ${quoteRecord(repeated)} twice, for which some receivers ignore all of it. Leave one.`;
    problems.push(warning('tag_repeated', message));
  }
  return problems;
}

/** `p`, `sp` and `np` are checked with the policy. */
function checkInvalid(invalid: readonly string[]): Problem[] {
  const names = invalid.filter((name) => !POLICY_TAGS.has(name));
  if (names.length === 0) return [];
  const message = `Receivers use the default for what the DMARC record says in ${names.join(', ')}: the value is none that the tag can have. Correct or remove it.`;
  return [warning('tag_invalid', message)];
}

const POLICY_TAGS: ReadonlySet<string> = new Set(['p', 'sp', 'np']);

function listOtherTags(names: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  const removed = names.filter((name) => REMOVED.has(name));
  if (removed.length > 0) {
    const message = `RFC 9989 removed ${removed.join(', ')} from DMARC: newer receivers ignore it. Remove it from the record; to soften the policy while testing write t=y.`;
    problems.push(noting('tag_removed', message));
  }
  const unknown = names.find((name) => !KNOWN.has(name) && !REMOVED.has(name));
  if (unknown !== undefined) {
    problems.push(noting('tag_unknown', `Receivers ignore the tag ${quoteRecord(unknown)} of the DMARC record.`));
  }
  return problems;
}
