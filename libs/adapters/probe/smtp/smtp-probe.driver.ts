import { RateLimiter, type Timer } from '@platform/concurrency';
import { type OutboundAddressService, type CheckedAddress, OutboundError } from '@platform/outbound';
import { getCompanyDomain } from '@platform/validation';
import { MailboxProbePort, type ProbeAnswer, type ProbeKind, type ProbeQuestion } from '../port/mailbox-probe.port';
import { type ProbedAddress, toProbeAddress } from '../port/probe-address';
import { CatchAllCache } from './catch-all-cache';
import { type ControlAddressGenerator } from './control-address-generator';
import { type StepTimeout, withStepTimeout } from './timeout';
import { toFailureAnswer, toPausedAnswer, toReplyAnswer } from './probe-result';
import { ProbeConnectError, ProbeNoSlotError, ProbeFailureError, ProbeRefusedError } from './probe-failure.errors';
import { type Caller, ProbeSession } from './probe-session';
import { classifyGreeting, classifyRecipientReply, type ReplyVerdict } from './reply-classification';

export interface SmtpProbeOptions extends Caller {
  readonly isOn: boolean;
  /** Timeout of each step in milliseconds. */
  readonly stepTimeoutMs: number;
  /** Maximum concurrent connections to one provider. */
  readonly connections: number;
  /** Minimum milliseconds between two connections to one provider. */
  readonly gapMs: number;
}

/** Maximum hosts of a domain, and addresses of a host, tried for a connection. */
const MAX_HOSTS = 4;
const MAX_ADDRESSES = 2;
const MAX_DOMAINS = 50_000;
const DAY_MS = 24 * 3_600_000;
const COOLDOWN = { firstMs: 60_000, longestMs: 3_600_000 };

/** Results of a server that does not refuse us. */
const IS_ABOUT_THE_MAILBOX: ReadonlySet<ProbeKind> = new Set([
  'accepted',
  'rejected',
  'full',
  'disabled',
  'greylisted',
]);

/** The host and address of the server. */
type Who = Pick<ProbeSession, 'host' | 'address'>;

/**
 * Probes over SMTP up to RCPT and never further (RFC 5321, section 3.3): the reply is the one that a real mail would get.
 * docs/users/verification.md describes the protocol, decision 25 the limits.
 */
export class SmtpProbeDriver extends MailboxProbePort {
  /** By provider, and by address. A probe that waits for a host continues a released conversation with it. */
  readonly #limiter: RateLimiter<ProbeSession>;
  readonly #catchAlls: CatchAllCache;

  constructor(
    private readonly options: SmtpProbeOptions,
    private readonly guard: OutboundAddressService,
    private readonly controls: ControlAddressGenerator,
    private readonly timer: Timer,
  ) {
    super();
    const { connections, gapMs } = options;
    this.#limiter = new RateLimiter({ perKey: connections, gapMs, cooldown: COOLDOWN }, timer);
    this.#catchAlls = new CatchAllCache({ maxDomains: MAX_DOMAINS, keepMs: DAY_MS }, timer);
  }

  override get isOn(): boolean {
    return this.options.isOn;
  }

  override async ask(question: ProbeQuestion): Promise<ProbeAnswer> {
    if (!this.isOn) throw new Error('The mailbox probe is off');
    const probed = toProbeAddress(question.address);
    let answer = toFailureAnswer(new ProbeFailureError('unreachable', 'no host accepts mail'), null);
    for (const host of question.hosts.slice(0, MAX_HOSTS)) {
      answer = await this.#askHost(host, probed, question);
      const isConnected = answer.kind !== 'unreachable' || answer.host !== null;
      // Only an unreachable host leads to the next: any other is authoritative for the domain (RFC 5321, section 5.1).
      if (isConnected || this.timer.now() >= question.deadline.getTime()) break;
    }
    return answer;
  }

  async #askHost(host: string, probed: ProbedAddress, question: ProbeQuestion): Promise<ProbeAnswer> {
    const { signal, askCatchAll } = question;
    const deadline = question.deadline.getTime();
    const slot = await this.#limiter.acquire(getProvider(host), {
      deadline,
      signal,
      accepts: (leftOver) => leftOver.host === host,
    });
    if ('freeInMs' in slot) return toPausedAnswer(slot.freeInMs);
    const timeout = { timer: this.timer, stepMs: this.options.stepTimeoutMs, deadline, signal };
    let session = slot.continued;
    let leftOver: ProbeSession | null = null;
    try {
      if (session && !(await this.#goesOn(session, probed, timeout))) {
        session.quit(this.timer);
        session = null;
      }
      if (!session) {
        session = await this.#connect(host, timeout);
        await session.begin(probed, timeout);
      }
      const answer = await this.#hear(session, probed, askCatchAll, timeout);
      if (session.hasRoom) leftOver = session;
      return answer;
    } catch (error) {
      return this.#answerFor(error, host);
    } finally {
      const unwanted = slot.release(leftOver);
      (leftOver ? unwanted : session)?.quit(this.timer);
    }
  }

  /** Whether a reused conversation allows another question; after a refusal its replies say nothing about the next address. */
  async #goesOn(session: ProbeSession, probed: ProbedAddress, timeout: StepTimeout): Promise<boolean> {
    try {
      await session.begin(probed, timeout);
      return true;
    } catch (error) {
      if (error instanceof ProbeFailureError || error instanceof ProbeRefusedError) return false;
      throw error;
    }
  }

  /** @throws ConnectFailure when no address of the host can be connected to; ProbeFailure; ProbeRefusal; the signal's reason */
  async #connect(host: string, timeout: StepTimeout): Promise<ProbeSession> {
    let failure = new ProbeConnectError(`${host} has no address`);
    for (const address of (await this.#addressesOf(host, timeout)).slice(0, MAX_ADDRESSES)) {
      try {
        return await this.#connectTo(address, host, timeout);
      } catch (error) {
        if (!(error instanceof ProbeConnectError)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /**
   * One address may serve many host names, and one owner may have many addresses: each address has its own limits in addition to the
   * provider's.
   */
  async #connectTo(address: CheckedAddress, host: string, timeout: StepTimeout): Promise<ProbeSession> {
    const place = await this.#limiter.acquire(getLimiterKey(address.address), {
      deadline: timeout.deadline,
      signal: timeout.signal,
    });
    if ('freeInMs' in place) throw new ProbeNoSlotError(place.freeInMs);
    try {
      const session = await ProbeSession.open(host, address, this.options, timeout);
      session.onOver = () => void place.release();
      return session;
    } catch (error) {
      place.release();
      throw error;
    }
  }

  /** The allowed addresses, because the host comes from foreign DNS. */
  async #addressesOf(host: string, timeout: StepTimeout): Promise<readonly CheckedAddress[]> {
    try {
      return await withStepTimeout(timeout, 'the look-up', (give, fail) => {
        this.guard.resolve(host).then(give, fail);
      });
    } catch (error) {
      if (!(error instanceof OutboundError) && !(error instanceof ProbeFailureError)) throw error;
      throw new ProbeConnectError(error.message);
    }
  }

  async #hear(
    session: ProbeSession,
    probed: ProbedAddress,
    askCatchAll: boolean,
    timeout: StepTimeout,
  ): Promise<ProbeAnswer> {
    const reply = await session.recipient(probed.address, timeout);
    const verdict = classifyRecipientReply(reply);
    this.#heed(verdict, session);
    const catchAll = askCatchAll ? await this.#catchAll(session, probed.domain, verdict.kind, timeout) : null;
    return toReplyAnswer({ host: session.host, reply, verdict, catchAll, cooldownMs: this.#getCooldownMs(session) });
  }

  /** Starts a cooldown after a refusal of us. */
  #heed({ kind, repels }: ReplyVerdict, { host, address }: Who): void {
    for (const state of [getProvider(host), getLimiterKey(address)]) {
      if (repels) this.#limiter.coolDown(state);
      else if (IS_ABOUT_THE_MAILBOX.has(kind)) this.#limiter.resetCooldown(state);
    }
  }

  #getCooldownMs({ host, address }: Who): number {
    return Math.max(
      this.#limiter.getCooldownMs(getProvider(host)),
      this.#limiter.getCooldownMs(getLimiterKey(address)),
    );
  }

  /**
   * Probes the control address too when it can add information: if the server refuses the address, another refusal adds none. A server that
   * postpones the address is still probed, so that greylisting has both for the retry.
   */
  async #catchAll(
    session: ProbeSession,
    domain: string,
    kind: ProbeKind,
    timeout: StepTimeout,
  ): Promise<boolean | null> {
    if (kind !== 'accepted' && kind !== 'greylisted') return null;
    const known = this.#catchAlls.get(domain);
    if (known !== null) return kind === 'accepted' ? known : null;
    const control = await this.#controlVerdict(session, domain, timeout);
    if (control) this.#heed(control, session);
    if (control?.kind !== 'accepted' && control?.kind !== 'rejected') return null;
    const catchAll = control.kind === 'accepted';
    this.#catchAlls.keep(domain, catchAll);
    return kind === 'accepted' ? catchAll : null;
  }

  /** Null without a reply: the result of the address itself stays valid. */
  async #controlVerdict(session: ProbeSession, domain: string, timeout: StepTimeout): Promise<ReplyVerdict | null> {
    try {
      return classifyRecipientReply(await session.recipient(`${this.controls.at(domain)}@${domain}`, timeout));
    } catch (error) {
      if (error instanceof ProbeFailureError) return null;
      throw error;
    }
  }

  #answerFor(error: unknown, host: string): ProbeAnswer {
    if (error instanceof ProbeConnectError) return toFailureAnswer(error, null);
    if (error instanceof ProbeFailureError) return toFailureAnswer(error, host);
    if (error instanceof ProbeNoSlotError) return toPausedAnswer(error.freeInMs);
    if (!(error instanceof ProbeRefusedError)) throw error;
    const { reply, address } = error;
    const verdict = classifyGreeting(reply);
    this.#heed(verdict, { host, address });
    return toReplyAnswer({ host, reply, verdict, catchAll: null, cooldownMs: this.#getCooldownMs({ host, address }) });
  }
}

/** The provider of a host: all hosts under one registered domain are one provider. */
function getProvider(host: string): string {
  return getCompanyDomain(host.toLowerCase().replace(/\.$/, ''));
}

/** No domain has this name. */
function getLimiterKey(address: string): string {
  return `[${address}]`;
}
