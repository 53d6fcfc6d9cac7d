import { type DnsPort, type DnsFailure, type DnsOptions } from '@adapters/dns';
import { failing, isFailure, noting, toDnsRecords, toUnansweredProblem, warning, type Problem } from '../check';
import { evaluateKeys, type DkimKeyResult } from './dkim-key-records';
import { KNOWN_SELECTORS, getKeyName, getSelector } from './selectors';

/** `given` by a person, `learned` from signed mail, `known` for a common provider. */
export type SelectorSource = 'configured' | 'learned' | 'known';

export interface FoundKey {
  readonly selector: string;
  readonly source: SelectorSource;
  readonly keys: DkimKeyResult;
  readonly notes: readonly Problem[];
}

/** The key, or the reason for its absence. */
export type KeySearch =
  | { readonly found: FoundKey }
  | { readonly found: null; readonly status: 'warn' | 'fail' | 'unknown'; readonly problem: Problem };

interface Candidate {
  readonly selector: string;
  readonly source: SelectorSource;
}

interface Failure {
  readonly name: string;
  readonly failure: DnsFailure;
}

const MAX_LEARNED = 5;
/** After so many unanswered queries the search ends. */
const MAX_FAILURES = 3;
/** A selector that no sender uses: if it has a record, every selector has (`*._domainkey` or `*` in the zone). */
const NOBODYS_SELECTOR = 'no-such-selector-7d0c1e';

/**
 * Searches the possible selectors one after the other, and stops at the first valid key. Without one, the first record that is
 * not revoked counts: revoked selectors are often left behind.
 */
export async function findKey(
  dns: DnsPort,
  domain: string,
  learned: readonly string[],
  options: DnsOptions,
): Promise<KeySearch> {
  const wildcard = new WildcardProbe(dns, domain, options);
  const failures: Failure[] = [];
  let second: FoundKey | null = null;
  for (const { selector, source } of candidates(learned)) {
    const name = getKeyName(selector, domain);
    const answer = await dns.query(name, 'TXT', options);
    if (isFailure(answer)) failures.push({ name, failure: answer });
    if (failures.length >= MAX_FAILURES) break;
    if (answer.kind !== 'records') continue;
    const keys = evaluateKeys(answer.records);
    const everywhere = await wildcard.gives(answer.records);
    const notes = everywhere ? [describeWildcard(domain)] : [];
    if (source === 'known') notes.push(...describeMissingKey(domain, learned, failures));
    const found = { selector, source, keys, notes };
    if (keys.key !== null) return { found };
    if (!everywhere && !keys.revoked) second ??= found;
  }
  if (second !== null) return { found: second };
  const [failed] = failures;
  if (failed) return { found: null, status: 'unknown', problem: toUnansweredProblem(failed.name, failed.failure) };
  return createNothingFound(dns, domain, learned, options);
}

function candidates(learned: readonly string[]): Candidate[] {
  const own = learned.map(getSelector).filter((selector) => selector !== null);
  const latest = [...new Set(own)].slice(0, MAX_LEARNED);
  const known = KNOWN_SELECTORS.filter((selector) => !latest.includes(selector));
  return [
    ...latest.map((selector): Candidate => ({ selector, source: 'learned' })),
    ...known.map((selector): Candidate => ({ selector, source: 'known' })),
  ];
}

/** Queries an unused selector once, and only after a record was found. */
class WildcardProbe {
  #records: readonly string[] | null = null;

  constructor(
    private readonly dns: DnsPort,
    private readonly domain: string,
    private readonly options: DnsOptions,
  ) {}

  /** Whether every selector has these records. */
  async gives(records: readonly string[]): Promise<boolean> {
    this.#records ??= toDnsRecords(
      await this.dns.query(getKeyName(NOBODYS_SELECTOR, this.domain), 'TXT', this.options),
    );
    const everywhere = this.#records;
    return everywhere.length === records.length && records.every((record) => everywhere.includes(record));
  }
}

function describeWildcard(domain: string): Problem {
  const message = `A wildcard in the zone of ${domain} gives the same DKIM key for every selector. Give the selector that you sign with to have that one checked.`;
  return noting('wildcard_key', message);
}

/** Mail was signed with another selector than the one with a key: the current signatures may be invalid. */
function describeMissingKey(domain: string, learned: readonly string[], failures: readonly Failure[]): Problem[] {
  const signed = latest(learned);
  if (signed === null) return [];
  const name = getKeyName(signed, domain);
  if (failures.some((failed) => failed.name === name)) return [];
  const message = `Mail was signed with the selector ${signed}, but there is no valid DKIM key at ${name}. Publish it again, or give the selector that you sign with now.`;
  return [warning('key_not_found', message)];
}

function latest(learned: readonly string[]): string | null {
  return learned.map(getSelector).find((selector) => selector !== null) ?? null;
}

/** Without a name `_domainkey` there is none below it (RFC 8020); with it, the selector is unknown. */
async function createNothingFound(
  dns: DnsPort,
  domain: string,
  learned: readonly string[],
  options: DnsOptions,
): Promise<KeySearch> {
  const name = `_domainkey.${domain}`;
  const answer = await dns.query(name, 'TXT', options);
  if (isFailure(answer)) return { found: null, status: 'unknown', problem: toUnansweredProblem(name, answer) };
  const signed = latest(learned);
  if (signed !== null) {
    const message = `Mail was signed with the selector ${signed}, but there is no DKIM key at ${getKeyName(signed, domain)}. Publish it again, or give the new selector.`;
    return { found: null, status: 'fail', problem: failing('key_not_found', message) };
  }
  if (answer.kind === 'nxdomain') {
    const message = `There is no DKIM key below ${name}. Turn DKIM on at your provider and publish the record that it gives.`;
    return { found: null, status: 'fail', problem: failing('no_keys', message) };
  }
  const message = `No DKIM key was found under the usual selectors of ${domain}. Give the selector (s= in the DKIM-Signature header of a mail that you sent), or turn DKIM on at your provider.`;
  return { found: null, status: 'warn', problem: warning('selector_unknown', message) };
}
