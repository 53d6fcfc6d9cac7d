import { DnsPort, type DnsOptions } from '@adapters/dns';
import { Injectable } from '@nestjs/common';
import { type Problem } from '../check';
import { checkDkim } from '../dkim/dkim-check';
import { checkDmarc } from '../dmarc/dmarc-check';
import { checkMx } from '../mx/mx-check';
import { recordText } from '../record-text';
import { getHealthScore } from '../score/health-score';
import { auditSpf } from '../spf/spf-audit';
import { VOID_LIMIT } from '../spf/spf-budget';
import { MtaStsPolicyClient } from '../transport/mta-sts-policy.client';
import { type TransportReport } from '../transport/transport-report';
import { checkTransport } from '../transport/transport-check';
import { type DomainHealthRecord } from '../schemas/domain-health.record';
import {
  type DkimFinding,
  type DmarcFinding,
  type HealthReport,
  type MxFinding,
  type SpfFinding,
  getStatuses,
  type TransportFinding,
  UNCHECKED,
} from './health-report';

export interface ExaminationOptions {
  /** Bypasses the DNS cache: a person who waits may just have changed a record. */
  readonly fresh: boolean;
  readonly signal?: AbortSignal;
}

/** Limit for one check; a slower check has no result. */
const TIMEOUT_MS = 30_000;
/** Problems, terms and records that are stored per check. */
const MAX_ITEMS = 50;
/** Characters of a stored message. */
const MAX_MESSAGE = 2_000;

/** Examines everything that a domain publishes about its mail. */
@Injectable()
export class DomainExaminationService {
  constructor(
    private readonly dns: DnsPort,
    private readonly http: MtaStsPolicyClient,
  ) {}

  /** Runs all checks at the same time. @throws the signal's reason when it is aborted */
  async examine(
    {
      domain,
      dkimSelector,
      learnedSelectors,
    }: Pick<DomainHealthRecord, 'domain' | 'dkimSelector' | 'learnedSelectors'>,
    options: ExaminationOptions,
  ): Promise<HealthReport> {
    const learned = learnedSelectors.map(({ selector }) => selector);
    const [mx, spf, dkim, dmarc, transport] = await Promise.all([
      withTimeout((dns) => this.#examineMx(domain, dns), UNCHECKED.mx, options),
      withTimeout((dns) => this.#examineSpf(domain, dns), UNCHECKED.spf, options),
      withTimeout(
        (dns) => this.#examineDkim({ domain, selector: dkimSelector, learned }, dns),
        UNCHECKED.dkim,
        options,
      ),
      withTimeout((dns) => this.#examineDmarc(domain, dns), UNCHECKED.dmarc, options),
      withTimeout((dns) => this.#examineTransport(domain, dns), null, options),
    ]);
    const { mtaSts, tlsRpt } = transport ?? UNCHECKED;
    const report = { healthScore: null, mx, spf, dkim, dmarc, mtaSts, tlsRpt };
    return { ...report, healthScore: getHealthScore(getStatuses(report)) };
  }

  async #examineMx(domain: string, options: DnsOptions): Promise<MxFinding> {
    const { status, problems, records } = await checkMx(this.dns, domain, options);
    const limited = records.slice(0, MAX_ITEMS).map(({ exchange, priority }) => ({ exchange, priority }));
    return { status, problems: limitProblems(problems), records: limited };
  }

  async #examineSpf(domain: string, options: DnsOptions): Promise<SpfFinding> {
    const { status, problems, record, lookups, voids } = await auditSpf(this.dns, domain, options);
    const terms = lookups.terms.slice(0, MAX_ITEMS).map((one) => ({
      term: recordText(one.term),
      domain: recordText(one.domain),
      depth: one.depth,
      lookups: one.lookups,
    }));
    return {
      status,
      problems: limitProblems(problems),
      record: record === null ? null : recordText(record),
      lookups: { used: lookups.used, limit: lookups.limit, terms },
      voids: { used: voids, limit: VOID_LIMIT },
    };
  }

  async #examineDkim(subject: Parameters<typeof checkDkim>[1], options: DnsOptions): Promise<DkimFinding> {
    const { status, problems, selector, source, record, key } = await checkDkim(this.dns, subject, options);
    return { status, problems: limitProblems(problems), selector, source, record, key };
  }

  /** The mailbox is the envelope sender, so SPF authenticates the domain itself. */
  async #examineDmarc(domain: string, options: DnsOptions): Promise<DmarcFinding> {
    const subject = { domain, authenticated: { spf: domain } };
    const { status, problems, record, foundAt, policy } = await checkDmarc(this.dns, subject, options);
    return { status, problems: limitProblems(problems), record, foundAt, policy };
  }

  async #examineTransport(domain: string, options: DnsOptions): Promise<Pick<HealthReport, 'mtaSts' | 'tlsRpt'>> {
    const { mtaSts, tlsRpt } = await checkTransport(this.dns, this.http, domain, options);
    return { mtaSts: toFinding(mtaSts), tlsRpt: toFinding(tlsRpt) };
  }
}

/** @param otherwise result of a check that takes too long */
async function withTimeout<T>(
  check: (options: DnsOptions) => Promise<T>,
  otherwise: T,
  { fresh, signal }: ExaminationOptions,
): Promise<T> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await check({ fresh, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  } catch (error) {
    if (signal?.aborted || !timeout.aborted) throw error;
    return otherwise;
  }
}

function limitProblems(problems: readonly Problem[]): Problem[] {
  return problems
    .slice(0, MAX_ITEMS)
    .map(({ code, severity, message }) => ({ code, severity, message: message.slice(0, MAX_MESSAGE) }));
}

function toFinding({ status, record, problems }: TransportReport): TransportFinding {
  return { status, record, problems: limitProblems(problems) };
}
