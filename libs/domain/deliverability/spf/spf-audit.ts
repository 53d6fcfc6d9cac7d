import { type DnsPort, type DnsOptions } from '@adapters/dns';
import { type Check, type Problem, type Severity, getCheckStatus } from '../check';
import { type TermLookups } from './spf-audit-types';
import { SpfAuditWalker } from './spf-audit-walker';
import { SPF_AUDIT_MESSAGES } from './spf-audit-messages';
import { LOOKUP_LIMIT, VOID_LIMIT } from './spf-budget';
import { checkableDomain } from './spf-name';
import { getPolicy, type SpfPolicy } from './spf-policy';
import { CachedDnsDriver } from './cached-dns.driver';

export interface SpfAudit extends Check {
  /** As published; the first of several. */
  readonly record: string | null;
  readonly lookups: {
    /** Cost of a message that no term matches. A lower bound: the count stops at 50, and macros are not followed. */
    readonly used: number;
    readonly limit: number;
    /** In the order of evaluation; terms of an included record follow the including term. */
    readonly terms: readonly TermLookups[];
  };
  /** Terms whose names have no DNS records; 2 are allowed. */
  readonly voids: number;
}

/** With so many of the ten look-ups used, another provider is too many. */
const MANY_LOOKUPS = 9;
/** Highest number of reported problems. */
const MOST_PROBLEMS = 50;
/** Order of the reported problems. */
const RANKS: Readonly<Record<Severity, number>> = { fail: 0, warn: 1, info: 2 };

/**
 * Audits the SPF record of a domain and its cost: walks the whole tree as for a message without a match (RFC 7208). An unanswered
 * query makes the status `unknown`, whatever else was found.
 * @throws the signal's reason when it is aborted
 */
export async function auditSpf(dns: DnsPort, domain: string, options: DnsOptions = {}): Promise<SpfAudit> {
  const remembered = new CachedDnsDriver(dns, options);
  const name = checkableDomain(domain);
  if (name === null) return audit(null, [SPF_AUDIT_MESSAGES.malformedDomain(domain)]);
  const policy = await getPolicy(remembered, name);
  if (policy.kind !== 'record') return toUnusable(name, policy);
  const walk = new SpfAuditWalker(remembered, name);
  await walk.walk(policy.record);
  return audit(policy.text, [...limitProblems(walk), ...walk.problems], walk);
}

function toUnusable(name: string, policy: Exclude<SpfPolicy, { kind: 'record' }>): SpfAudit {
  switch (policy.kind) {
    case 'unanswered':
      return { ...audit(null, [SPF_AUDIT_MESSAGES.unanswered(name, policy.failure)]), status: 'unknown' };
    case 'none':
      return audit(null, [
        policy.exists ? SPF_AUDIT_MESSAGES.noRecord(name, policy.texts) : SPF_AUDIT_MESSAGES.noSuchDomain(name),
      ]);
    case 'multiple':
      return audit(policy.texts[0] ?? null, [SPF_AUDIT_MESSAGES.multipleRecords(name, policy.texts.length)]);
    case 'syntax':
      return audit(
        policy.text,
        policy.errors.map((error) => SPF_AUDIT_MESSAGES.syntaxError(name, error)),
      );
  }
}

function limitProblems({ used, voids, terms, incomplete }: SpfAuditWalker): readonly Problem[] {
  const problems: Problem[] = [];
  if (used > LOOKUP_LIMIT) problems.push(SPF_AUDIT_MESSAGES.tooManyLookups(used, incomplete, terms));
  else if (used >= MANY_LOOKUPS) problems.push(SPF_AUDIT_MESSAGES.manyLookups(used, terms));
  if (voids > VOID_LIMIT) problems.push(SPF_AUDIT_MESSAGES.tooManyVoidLookups(voids));
  return problems;
}

/** @param walk null without a record to walk */
function audit(record: string | null, problems: readonly Problem[], walk: SpfAuditWalker | null = null): SpfAudit {
  const shown = problems.toSorted((one, other) => RANKS[one.severity] - RANKS[other.severity]).slice(0, MOST_PROBLEMS);
  return {
    status: walk?.unanswered ? 'unknown' : getCheckStatus(problems),
    record,
    lookups: { used: walk?.used ?? 0, limit: LOOKUP_LIMIT, terms: walk?.terms ?? [] },
    voids: walk?.voids ?? 0,
    problems: shown,
  };
}
