import { type DnsPort, type DnsOptions } from '@adapters/dns';
import { parseClientAddress } from './spf-address';
import { SpfBudget } from './spf-budget';
import { SpfEvaluation, type SpfStep, type Verdict } from './spf-evaluation';
import { SpfEvaluationError, type SpfProblem } from './spf-evaluation.errors';
import { getIdentity } from './spf-identity';
import { SpfQuestions } from './spf-questions';
import { CachedDnsDriver } from './cached-dns.driver';

/** RFC 7208, section 2.6. */
export type SpfResult = 'none' | 'neutral' | 'pass' | 'fail' | 'softfail' | 'permerror' | 'temperror';

export interface SpfQuestion {
  /** Client address: IPv4 or IPv6; an IPv4-mapped address counts as IPv4. */
  readonly ip: string;
  /** Domain whose policy decides. Default: the sender's domain, or the HELO name without a sender. */
  readonly domain?: string;
  /** MAIL FROM without angle brackets; '' for the null reverse-path. */
  readonly sender: string;
  /** Name of the client in HELO or EHLO. */
  readonly helo: string;
  /** Checking host, for `%{r}`. Default: "unknown". */
  readonly receiver?: string;
  /** For `%{t}`. Default: "unknown". */
  readonly now?: Date;
}

export interface SpfCheck {
  readonly result: SpfResult;
  /** The domain's explanation (`exp`) of a `fail`, which is third-party text. */
  readonly explanation: string | null;
  /** The matching directive, as written; null without one. */
  readonly mechanism: string | null;
  /** Reason of `none`, `permerror` and `temperror`. */
  readonly problem: SpfProblem | null;
  /** Evaluated terms in order, with their own cost. */
  readonly trace: readonly SpfStep[];
}

/**
 * Checks whether a domain permits a host to send mail: `check_host()` of RFC 7208, section 4, with RFC 8616 for internationalised
 * mail. Evaluates at most 10 terms with look-ups, and sends each query once.
 * @throws RangeError when `ip` is no address
 * @throws the signal's reason when it is aborted
 */
export async function checkHost(dns: DnsPort, question: SpfQuestion, options: DnsOptions = {}): Promise<SpfCheck> {
  const client = parseClientAddress(question.ip);
  const identity = getIdentity(question.sender, question.helo);
  const budget = new SpfBudget();
  const questions = new SpfQuestions(new CachedDnsDriver(dns, options), budget, client);
  const { receiver = 'unknown', now = null } = question;
  const evaluation = new SpfEvaluation(questions, budget, { ...identity, client, receiver, now });
  const trace = evaluation.steps;
  try {
    const verdict = await evaluation.evaluate(question.domain ?? identity.domain, 0);
    const explanation = verdict.result === 'fail' ? await evaluation.explain(verdict) : null;
    return { result: verdict.result, explanation, mechanism: getMechanism(verdict), problem: verdict.problem, trace };
  } catch (error) {
    if (!(error instanceof SpfEvaluationError)) throw error;
    const problem = { code: error.code, message: error.message };
    return { result: error.result, explanation: null, mechanism: null, problem, trace };
  }
}

function getMechanism({ directive }: Verdict): string | null {
  return directive?.text ?? null;
}
