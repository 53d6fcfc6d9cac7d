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
  /** Of the client: IPv4, or IPv6; an IPv4 address mapped into IPv6 is taken for what it is. */
  readonly ip: string;
  /** Whose policy decides. Default: the sender's domain, or the HELO name when there is no sender. */
  readonly domain?: string;
  /** MAIL FROM without angle brackets; '' for the null reverse-path. */
  readonly sender: string;
  /** The name that the client gave with HELO or EHLO. */
  readonly helo: string;
  /** Host that checks, for `%{r}`. Default: "unknown". */
  readonly receiver?: string;
  /** For `%{t}`. Default: "unknown". */
  readonly now?: Date;
}

export interface SpfCheck {
  readonly result: SpfResult;
  /** What the domain has to say to whom it refuses (`exp`), third-party text; for `fail` alone. */
  readonly explanation: string | null;
  /** The directive that matched, as written; null when none did. */
  readonly mechanism: string | null;
  /** For `none`, `permerror` and `temperror`: why. */
  readonly problem: SpfProblem | null;
  /** The terms that were evaluated, in order, with what each cost. The costs are those of the term alone. */
  readonly trace: readonly SpfStep[];
}

/**
 * Whether a domain lets a host send mail in its name: `check_host()` of RFC 7208, section 4, with RFC 8616 for internationalised mail.
 * Asks for at most 10 terms, whatever the records say, and each
 * question once.
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
