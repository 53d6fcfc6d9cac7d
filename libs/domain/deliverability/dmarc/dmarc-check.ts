import { type DnsPort, type DnsOptions } from '@adapters/dns';
import { failing, noting, getCheckStatus, toUnansweredProblem, warning, type Check, type Problem } from '../check';
import { normalizeHostName } from '../host-name';
import { quoteRecord, recordText } from '../record-text';
import { checkAlignment, listAlignments, type Alignments, type AuthenticatedDomains } from './alignment';
import { getAppliedPolicy, type AppliedPolicy, type PolicyScope } from './applied-policy';
import { type DmarcRecord } from './dmarc-record';
import { reportProblems } from './report-destinations';
import { findApplicableStep, getOrganisationalDomain, walkTree, type TreeWalk, type WalkStep } from './tree-walk';

export interface DmarcSubject {
  /** Domain of the mailbox's address, in A-labels. */
  readonly domain: string;
  /** Authenticated domains, as far as known; alignment is checked for these. */
  readonly authenticated?: Partial<AuthenticatedDomains>;
}

export interface DmarcCheck extends Check {
  /** The record that applies; null without one. */
  readonly record: string | null;
  /** All records at that name, or the several records that cancel each other out. */
  readonly records: readonly string[];
  /** Domain of the record: the mailbox's, its organisational domain, or a public suffix. */
  readonly foundAt: string | null;
  /** null when DNS gave no answer. */
  readonly organisationalDomain: string | null;
  readonly policy: AppliedPolicy | null;
  readonly alignment: Alignments;
}

/**
 * Checks whether receivers have a policy for forged mail of the domain (RFC 9989), whether the mailbox's own mail passes, and
 * whether reports arrive. Takes at most 70 sequential queries; usually two to four.
 * @throws the signal's reason when it is aborted
 */
export async function checkDmarc(dns: DnsPort, subject: DmarcSubject, options: DnsOptions = {}): Promise<DmarcCheck> {
  const walk = await walkTree(dns, normalizeHostName(subject.domain), options);
  const organisation = getOrganisationalDomain(walk);
  const step = findApplicableStep(walk);
  const failed = walk.find(({ failure }) => failure !== null);
  // A record of a lower domain would take precedence, so only the domain's own record is certain.
  if (failed?.failure && step !== walk[0]) {
    return {
      ...toNoRecord(organisation),
      status: 'unknown',
      problems: [toUnansweredProblem(`_dmarc.${failed.domain}`, failed.failure)],
    };
  }
  if (step?.record) return checkRecord(dns, { subject, walk, organisation, step, record: step.record }, options);
  const records = walk[0]?.texts.map((text) => recordText(text)).slice(0, MAX_RECORDS) ?? [];
  return { ...toNoRecord(organisation), records, status: 'fail', problems: [explainNoRecord(walk)] };
}

const MAX_RECORDS = 10;

interface Found {
  readonly subject: DmarcSubject;
  readonly walk: TreeWalk;
  readonly organisation: string | null;
  readonly step: WalkStep;
  readonly record: DmarcRecord;
}

function toNoRecord(organisation: string | null) {
  const alignment = { spf: 'unknown', dkim: 'unknown' } as const;
  return { record: null, records: [], foundAt: null, organisationalDomain: organisation, policy: null, alignment };
}

async function checkRecord(dns: DnsPort, found: Found, options: DnsOptions): Promise<DmarcCheck> {
  const { subject, organisation, step, record } = found;
  const domain = normalizeHostName(subject.domain);
  const { policy, problems: ofPolicy } = getAppliedPolicy(record, await getScope(dns, found, options));
  const known = { spf: subject.authenticated?.spf ?? null, dkim: subject.authenticated?.dkim ?? null };
  const alignment = await listAlignments(dns, { domain, organisation }, known, record, options);
  const problems: Problem[] = [
    ...ofPolicy,
    ...(policy === null ? [] : checkAlignment(alignment, known, policy)),
    ...record.problems,
    ...(await reportProblems(dns, record, { domain: step.domain, organisation }, options)),
    ...listRemarks(found),
  ];
  return {
    status: getCheckStatus(problems),
    problems,
    record: recordText(record.text),
    records: step.texts.map((text) => recordText(text)),
    foundAt: step.domain,
    organisationalDomain: organisation,
    policy,
    alignment,
  };
}

/** Queried only where it changes the result. */
async function getScope(dns: DnsPort, { walk, step, record }: Found, options: DnsOptions): Promise<PolicyScope> {
  const [start] = walk;
  if (start === undefined || step === start) return 'own';
  if (record.np === null || record.np === (record.sp ?? record.p)) return 'subdomain';
  return (await isAbsent(dns, start.domain, options)) ? 'absent_subdomain' : 'subdomain';
}

/** NXDOMAIN is about the name (RFC 8020) or about the target of its alias (RFC 6604); in the latter case the name exists. */
async function isAbsent(dns: DnsPort, domain: string, options: DnsOptions): Promise<boolean> {
  const { kind } = await dns.query(domain, 'A', options);
  return kind === 'nxdomain' && (await dns.query(domain, 'CNAME', options)).kind === 'nxdomain';
}

function explainNoRecord(walk: TreeWalk): Problem {
  const [start] = walk;
  const several = walk.find(({ texts }) => texts.length > 1);
  if (several) {
    const message = `There are ${several.texts.length} DMARC records at _dmarc.${several.domain}, so receivers ignore all of them. Leave one.`;
    return failing('several_records', message);
  }
  const discarded = walk.find((step) => step.discarded !== null);
  if (discarded) {
    const message = `Receivers ignore the TXT record at _dmarc.${discarded.domain}: it must begin with v=DMARC1 and a semicolon, in capitals, and begins with ${quoteRecord(discarded.discarded?.slice(0, 30) ?? '')}.`;
    return failing('record_ignored', message);
  }
  const message = `There is no DMARC record for ${start?.domain ?? ''}, which large providers ask of senders. Publish a TXT record at _dmarc.${start?.domain ?? ''}, to begin with "v=DMARC1; p=none; rua=mailto:" and an address of yours.`;
  return failing('no_record', message);
}

/** Harmless remarks. */
function listRemarks({ walk, step, organisation, record }: Found): Problem[] {
  const [start] = walk;
  const problems: Problem[] = [];
  if (start !== undefined && step !== start) {
    problems.push(
      noting('inherited', `${start.domain} has no DMARC record of its own: that of ${step.domain} applies.`),
    );
  }
  const cancelled = walk.find(({ texts }) => texts.length > 1);
  if (cancelled) {
    const message = `Receivers ignore the DMARC records at _dmarc.${cancelled.domain}, because there are several. Leave one.`;
    problems.push(warning('several_records', message));
  }
  if (step === start && step.domain !== organisation && organisation !== null && (record.sp ?? record.np) !== null) {
    problems.push(noting('subdomain_policy_ignored', `sp and np count in the record of ${organisation} only.`));
  }
  const failed = walk.find(({ failure }) => failure !== null);
  if (failed?.failure) problems.push(toUnansweredProblem(`_dmarc.${failed.domain}`, failed.failure));
  return problems;
}
