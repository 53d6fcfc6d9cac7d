import { type DnsPort, type DnsFailure, type DnsOptions } from '@adapters/dns';
import { isFailure, toDnsRecords } from '../check';
import { normalizeHostName } from '../host-name';
import { isDmarcRecord, isLikeDmarc, readDmarcRecord, type DmarcRecord } from './dmarc-record';

/** Result of one step, at `_dmarc` of one domain. */
export interface WalkStep {
  readonly domain: string;
  /** The policy record; null without one, and for several, which are all discarded. */
  readonly record: DmarcRecord | null;
  /** Policy records, whether they count or not. */
  readonly texts: readonly string[];
  /** Discarded text that was meant as a record; null without one. */
  readonly discarded: string | null;
  /** Failure of the resolver; null after an answer. */
  readonly failure: DnsFailure | null;
}

/** From the domain upwards; one to eight steps. */
export type TreeWalk = readonly WalkStep[];

/** RFC 9989, section 4.10: longer names are cut to seven labels after the first query. */
const LABELS_AFTER_THE_FIRST = 7;

/** Lists the domains of a walk in order: the domain and its parents, up to the top-level domain. At most eight. */
export function walkedDomains(domain: string): string[] {
  const labels = normalizeHostName(domain).split('.');
  const shorter = Math.min(labels.length - 1, LABELS_AFTER_THE_FIRST);
  const parents = Array.from({ length: shorter }, (_, index) => labels.slice(index - shorter).join('.'));
  return [labels.join('.'), ...parents];
}

/**
 * The DNS tree walk (RFC 9989, section 4.10). Ends early at a record that states whether its domain is a public suffix. Continues
 * after a failed query, as higher domains may answer.
 * @throws the signal's reason when it is aborted
 */
export async function walkTree(dns: DnsPort, domain: string, options: DnsOptions = {}): Promise<TreeWalk> {
  const steps: WalkStep[] = [];
  for (const target of walkedDomains(domain)) {
    const answer = await dns.query(`_dmarc.${target}`, 'TXT', options);
    const texts = toDnsRecords(answer).filter((text) => isDmarcRecord(text));
    const [only] = texts;
    const record = only !== undefined && texts.length === 1 ? readDmarcRecord(only) : null;
    const discarded = toDnsRecords(answer).find((text) => isLikeDmarc(text)) ?? null;
    steps.push({ domain: target, record, texts, discarded, failure: isFailure(answer) ? answer : null });
    if (record !== null && record.psd !== 'u') break;
  }
  return steps;
}

/**
 * Returns the organisational domain (RFC 9989, section 4.10.2): the domain with `psd=n`, the one below `psd=y`, else the shortest
 * with a record; without any, the domain itself. null when a failure leaves it open.
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

/** `example.com` for `com` and `mail.example.com`; for a public suffix itself, the suffix. */
function oneLabelBelow(above: string, below: string): string {
  const labels = below.split('.');
  return labels.slice(-above.split('.').length - 1).join('.');
}

/** Finds the step whose record applies to mail of the first domain (RFC 9989, section 4.10.1). */
export function findApplicableStep(walk: TreeWalk): WalkStep | null {
  const [start] = walk;
  if (start === undefined) return null;
  if (start.record !== null) return start;
  const organisation = getOrganisationalDomain(walk);
  const ofOrganisation = walk.find(({ domain, record }) => domain === organisation && record !== null);
  return ofOrganisation ?? walk.find(({ record }) => record?.psd === 'y') ?? null;
}
