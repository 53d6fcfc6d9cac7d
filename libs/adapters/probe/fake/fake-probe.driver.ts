import { MailboxProbePort, type ProbeAnswer, type ProbeQuestion } from '../port/mailbox-probe.port';
import { toProbeAddress } from '../port/probe-address';

/** A scripted answer; omitted fields follow from the kind. */
export type ScriptedAnswer = Pick<ProbeAnswer, 'kind'> & Partial<ProbeAnswer>;

/** Retry interval of temporary answers, in milliseconds. */
const RETRY_AFTER_MS = 300_000;

const CODES: Readonly<Partial<Record<ProbeAnswer['kind'], readonly [string, string]>>> = {
  accepted: ['250', '2.1.5'],
  rejected: ['550', '5.1.1'],
  full: ['552', '5.2.2'],
  disabled: ['550', '5.2.1'],
  greylisted: ['451', '4.7.1'],
  refused_us: ['550', '5.7.1'],
  busy: ['421', '4.3.2'],
};

const WORTH_A_RETRY: ReadonlySet<string> = new Set(['greylisted', 'busy', 'unreachable', 'timeout']);

/** A probe that returns scripted answers and records its questions. */
export class FakeProbeDriver extends MailboxProbePort {
  isOn = true;
  readonly requests: ProbeQuestion[] = [];
  /** The answer for unscripted addresses. */
  otherwise: ScriptedAnswer | 'silence' = { kind: 'rejected' };
  readonly #answers = new Map<string, (ScriptedAnswer | 'silence')[]>();
  readonly #catchAlls = new Set<string>();

  /** The answers about an address in order; the last one repeats. `silence` lasts until the signal. */
  says(address: string, ...answers: (ScriptedAnswer | 'silence')[]): void {
    this.#answers.set(address, answers);
  }

  /** The domain accepts every unscripted address. */
  takesEverything(domain: string): void {
    this.#catchAlls.add(domain);
  }

  reset(): void {
    this.isOn = true;
    this.otherwise = { kind: 'rejected' };
    this.requests.length = 0;
    this.#answers.clear();
    this.#catchAlls.clear();
  }

  override async ask(question: ProbeQuestion): Promise<ProbeAnswer> {
    if (!this.isOn) throw new Error('The mailbox probe is off');
    const { domain } = toProbeAddress(question.address);
    question.signal?.throwIfAborted();
    this.requests.push(question);
    if (question.hosts.length === 0) return likeA('unreachable', question, false);
    const isCatchAll = this.#catchAlls.has(domain);
    const answer = this.#next(question.address) ?? (isCatchAll ? { kind: 'accepted' as const } : this.otherwise);
    if (answer === 'silence') return waitForAbort(question.signal);
    return { ...likeA(answer.kind, question, isCatchAll), ...answer };
  }

  #next(address: string): ScriptedAnswer | 'silence' | undefined {
    const script = this.#answers.get(address) ?? [];
    return script.length > 1 ? script.shift() : script[0];
  }
}

function likeA(kind: ProbeAnswer['kind'], { hosts, askCatchAll }: ProbeQuestion, isCatchAll: boolean): ProbeAnswer {
  const [code = null, enhancedCode = null] = CODES[kind] ?? [];
  return {
    kind,
    catchAll: askCatchAll && kind === 'accepted' ? isCatchAll : null,
    host: kind === 'unreachable' ? null : (hosts[0] ?? null),
    code,
    enhancedCode,
    response: `The fake says ${kind}`,
    retryAfterMs: WORTH_A_RETRY.has(kind) ? RETRY_AFTER_MS : null,
  };
}

function waitForAbort(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
