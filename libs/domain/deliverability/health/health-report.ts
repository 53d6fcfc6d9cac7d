import { type CheckStatus, type Problem } from '../check';
import { type SelectorSource } from '../dkim/selector-search';
import { type DkimKey } from '../dkim/public-key';
import { type AppliedPolicy } from '../dmarc/applied-policy';
import { LOOKUP_LIMIT, VOID_LIMIT } from '../spf/spf-budget';

/** Checks of the score, in the order of the contract. */
export const HEALTH_CHECKS = ['mx', 'spf', 'dkim', 'dmarc'] as const;
export type HealthCheckName = (typeof HEALTH_CHECKS)[number];
export type HealthStatuses = Record<HealthCheckName, CheckStatus>;

/** Stored result of a check. */
export interface Finding {
  status: CheckStatus;
  problems: Problem[];
}

export interface MxFinding extends Finding {
  records: { exchange: string; priority: number }[];
}

/** Cost of a term of an SPF record or an included one. */
export interface SpfTermCost {
  term: string;
  /** Domain of the record with this term. */
  domain: string;
  /** 0 in the domain's own record. */
  depth: number;
  lookups: number;
}

export interface SpfFinding extends Finding {
  record: string | null;
  /** RFC 7208, section 4.6.4. */
  lookups: { used: number; limit: number; terms: SpfTermCost[] };
  /** Look-ups without a result. */
  voids: { used: number; limit: number };
}

export interface DkimFinding extends Finding {
  selector: string | null;
  source: SelectorSource | null;
  record: string | null;
  key: DkimKey | null;
}

export interface DmarcFinding extends Finding {
  record: string | null;
  foundAt: string | null;
  policy: AppliedPolicy | null;
}

/** An optional record, whose absence has no disadvantage. */
export interface TransportFinding {
  status: 'pass' | 'warn' | 'absent' | 'unknown';
  record: string | null;
  problems: Problem[];
}

/** Result of all checks of a domain: plain values of a bounded size. */
export interface HealthReport {
  /** 0 to 100; null without any result. */
  healthScore: number | null;
  mx: MxFinding;
  spf: SpfFinding;
  dkim: DkimFinding;
  dmarc: DmarcFinding;
  mtaSts: TransportFinding;
  tlsRpt: TransportFinding;
}

export function getStatuses(report: HealthReport): HealthStatuses {
  const { mx, spf, dkim, dmarc } = report;
  return { mx: mx.status, spf: spf.status, dkim: dkim.status, dmarc: dmarc.status };
}

export function getProblems(report: HealthReport): Record<HealthCheckName, readonly Problem[]> {
  const { mx, spf, dkim, dmarc } = report;
  return { mx: mx.problems, spf: spf.problems, dkim: dkim.problems, dmarc: dmarc.problems };
}

/** Report before the first result. */
export const UNCHECKED: HealthReport = {
  healthScore: null,
  mx: { status: 'unknown', problems: [], records: [] },
  spf: {
    status: 'unknown',
    problems: [],
    record: null,
    lookups: { used: 0, limit: LOOKUP_LIMIT, terms: [] },
    voids: { used: 0, limit: VOID_LIMIT },
  },
  dkim: { status: 'unknown', problems: [], selector: null, source: null, record: null, key: null },
  dmarc: { status: 'unknown', problems: [], record: null, foundAt: null, policy: null },
  mtaSts: { status: 'unknown', record: null, problems: [] },
  tlsRpt: { status: 'unknown', record: null, problems: [] },
};
