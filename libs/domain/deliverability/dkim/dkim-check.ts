import { type DnsPort, type DnsOptions } from '@adapters/dns';
import {
  failing,
  isFailure,
  toDnsRecords,
  getCheckStatus,
  toUnansweredProblem,
  type Check,
  type Problem,
} from '../check';
import { normalizeHostName } from '../host-name';
import { quoteRecord, recordText } from '../record-text';
import { evaluateKeys, type DkimKeyResult } from './dkim-key-records';
import { type DkimKey } from './public-key';
import { findKey, type SelectorSource } from './selector-search';
import { getKeyName, getSelector } from './selectors';

export interface DkimSubject {
  /** Domain of the mailbox, in A-labels. */
  readonly domain: string;
  /** Configured selector; no other is queried then. */
  readonly selector?: string | null;
  /** Selectors of its signed mail, the latest first; five are queried. */
  readonly learned?: readonly string[];
}

export interface DkimCheck extends Check {
  /** The selector whose key was evaluated; null without a key. */
  readonly selector: string | null;
  /** Source of the selector; null without one. */
  readonly source: SelectorSource | null;
  readonly record: string | null;
  /** All records under the name; more than one is a mistake. */
  readonly records: readonly string[];
  readonly key: DkimKey | null;
}

/**
 * Checks whether the domain publishes a key that verifiers accept (RFC 6376, 8301, 8463): under the configured selector, else
 * under selectors of its signed mail or of common providers. Takes at most 40 sequential queries.
 * @throws the signal's reason when it is aborted
 */
export async function checkDkim(dns: DnsPort, subject: DkimSubject, options: DnsOptions = {}): Promise<DkimCheck> {
  const domain = normalizeHostName(subject.domain);
  const { selector, learned = [] } = subject;
  if (selector !== undefined && selector !== null) return checkConfigured(dns, domain, selector, options);
  const search = await findKey(dns, domain, learned, options);
  if (search.found === null) return { ...NOTHING, status: search.status, problems: [search.problem] };
  const { selector: hit, source, keys, notes } = search.found;
  return toResult(hit, source, keys, notes);
}

const NOTHING = { selector: null, source: null, record: null, records: [], key: null } as const;

async function checkConfigured(dns: DnsPort, domain: string, text: string, options: DnsOptions): Promise<DkimCheck> {
  const selector = getSelector(text);
  if (selector === null) {
    const problem = failing(
      'selector_invalid',
      `${quoteRecord(text)} is no DKIM selector. Give the value of s= in the DKIM-Signature header.`,
    );
    return { ...NOTHING, status: 'fail', problems: [problem] };
  }
  const configured = { ...NOTHING, selector, source: 'configured' } as const;
  const name = getKeyName(selector, domain);
  const answer = await dns.query(name, 'TXT', options);
  if (isFailure(answer)) return { ...configured, status: 'unknown', problems: [toUnansweredProblem(name, answer)] };
  if (answer.kind === 'records') return toResult(selector, 'configured', evaluateKeys(answer.records), []);
  const problem = await explainMissingKey(dns, name, options);
  return { ...configured, status: 'fail', problems: [problem] };
}

/** A dangling alias is another mistake than a missing record. */
async function explainMissingKey(dns: DnsPort, name: string, options: DnsOptions): Promise<Problem> {
  const [target] = toDnsRecords(await dns.query(name, 'CNAME', options));
  if (target === undefined) {
    return failing(
      'key_not_found',
      `There is no DKIM key at ${name}. Publish the TXT or CNAME record that your provider gives for it.`,
    );
  }
  const message = `${name} is an alias (CNAME) of ${recordText(target)}, where there is no DKIM key. Turn DKIM on at your provider, or correct the alias.`;
  return failing('delegation_broken', message);
}

function toResult(selector: string, source: SelectorSource, keys: DkimKeyResult, notes: readonly Problem[]): DkimCheck {
  const problems = [...keys.problems, ...notes];
  const records = keys.records.map((record) => recordText(record));
  return {
    status: getCheckStatus(problems),
    problems,
    selector,
    source,
    record: recordText(keys.record),
    records,
    key: keys.key,
  };
}
