import { type DnsPort, type DnsFailure, type DnsOptions } from '@adapters/dns';
import { isFailure, toRecords } from '../check';
import { normalizeHostName } from '../host-name';
import { isDmarcRecord, isLikeDmarc, readDmarcRecord, type DmarcRecord } from './dmarc-record';

/** What lies at `_dmarc` of one domain. */
export interface WalkStep {
  readonly domain: string;
  /** The one policy record; null where there is none, or more than one: then all are discarded. */
  readonly record: DmarcRecord | null;
  /** Policy records, whether they count or not. */
  readonly texts: readonly string[];
  /** Text that was meant to be one and is discarded; null without. */
  readonly discarded: string | null;
  /** The resolver gave no answer; null when it did. */
  readonly failure: DnsFailure | null;
}

/** From the domain itself upwards; at least one step, at most eight. */
export type TreeWalk = readonly WalkStep[];

/** RFC 9989, section 4.10: longer names are cut to seven labels after the first query. */
const LABELS_AFTER_THE_FIRST = 7;

/** The domains that a walk asks, in order: the domain, then those above it, the top-level domain last. At most eight. */
export function walkedDomains(domain: string): string[] {
  const labels = normalizeHostName(domain).split('.');
  const shorter = Math.min(labels.length - 1, LABELS_AFTER_THE_FIRST);
  const parents = Array.from({ length: shorter }, (_, index) => labels.slice(index - shorter).join('.'));
  return [labels.join('.'), ...parents];
}

/**
 * The DNS tree walk (RFC 9989, section 4.10). Ends early where a record says whether its domain is a public suffix. A resolver
 * that fails does not end it: what lies above may be known all the same.
 * @throws the signal's reason when it is aborted
 */
export async function walkTree(dns: DnsPort, domain: string, options: DnsOptions = {}): Promise<TreeWalk> {
  const steps: WalkStep[] = [];
  for (const target of walkedDomains(domain)) {
    const answer = await dns.query(`_dmarc.${target}`, 'TXT', options);
    const texts = toRecords(answer).filter((text) => isDmarcRecord(text));
    const [only] = texts;
    const record = only !== undefined && texts.length === 1 ? readDmarcRecord(only) : null;
    const discarded = toRecords(answer).find((text) => isLikeDmarc(text)) ?? null;
    steps.push({ domain: target, record, texts, discarded, failure: isFailure(answer) ? answer : null });
    if (record !== null && record.psd !== 'u') break;
  }
  return steps;
}

/**
 * The organisational domain (RFC 9989, section 4.10.2): the one that says that it is (`psd=n`), the one below a public suffix
 * (`psd=y`), else the shortest with a record; without any, the domain itself. null when a failure leaves it open.
 */
export function getOrganisationalDomain(walk: TreeWalk): string | null {
  if (walk.some(({ failure }) => failure !== null)) return null;
  const [start] = walk;
  const withRecord = walk.filter(({ record }) => record !== null);
  // Only the last step of a walk can have either.
  const last = withRecord.at(-1);
  if (start === undefined || last === undefined) return start?.domain ?? null;
  if (last.record?.psd === 'y') return oneLabelBelow(last.domain, start.domain);
  return last.domain;
}

/** `example.com` for `com` and `mail.example.com`; a suffix that the walk began at is its own. */
function oneLabelBelow(above: string, below: string): string {
  const labels = below.split('.');
  return labels.slice(-above.split('.').length - 1).join('.');
}

/** Whose record applies to mail of the domain that the walk began at (RFC 9989, section 4.10.1); null when none does. */
export function findApplicableStep(walk: TreeWalk): WalkStep | null {
  const [start] = walk;
  if (start === undefined) return null;
  if (start.record !== null) return start;
  const organisation = getOrganisationalDomain(walk);
  const ofOrganisation = walk.find(({ domain, record }) => domain === organisation && record !== null);
  return ofOrganisation ?? walk.find(({ record }) => record?.psd === 'y') ?? null;
}
