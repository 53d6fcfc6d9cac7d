import { type Reply } from '@adapters/mail';
import { type CheckedAddress } from '@platform/outbound';
import { type ProbedAddress } from '../port/probe-address';
import { type StepTimeout } from './timeout';
import { ProbeFailureError, ProbeRefusedError } from './probe-failure.errors';
import { type Timer } from '@platform/concurrency';
import { SmtpProbeConnection } from './smtp-probe-connection';

export interface Caller {
  readonly helo: string;
  /** '' for the null sender. */
  readonly sender: string;
  readonly port: number;
}

/** Maximum recipients per connection; more would look like address harvesting. */
const MAX_RECIPIENTS = 5;

/** Replies to EHLO of a server that does not support it. */
const NO_EHLO: ReadonlySet<number> = new Set([500, 501, 502, 504, 550]);

/** A conversation with one mail server, ready for probes of recipients. It never sends DATA. */
export class ProbeSession {
  #recipients = 0;
  /** A transaction is open. */
  #isDirty = false;
  /** Of the last EHLO. */
  #extensions: ReadonlySet<string> = new Set();

  /** Called once at its end. */
  onOver: (() => void) | null = null;

  private constructor(
    readonly host: string,
    /** The IP address of the server. */
    readonly address: string,
    private readonly connection: SmtpProbeConnection,
    private readonly caller: Caller,
  ) {}

  /**
   * Greets a server, encrypted if possible: after a broken STARTTLS it reconnects in plain text.
   * @throws ProbeFailure; ProbeRefusal; the signal's reason
   */
  static async open(
    host: string,
    address: CheckedAddress,
    caller: Caller,
    timeout: StepTimeout,
  ): Promise<ProbeSession> {
    const session = await ProbeSession.#connected(host, address, caller, timeout);
    if (!session.#extensions.has('STARTTLS') || (await session.#encrypt(timeout))) return session;
    session.quit(timeout.timer);
    return ProbeSession.#connected(host, address, caller, timeout);
  }

  static async #connected(
    host: string,
    address: CheckedAddress,
    caller: Caller,
    timeout: StepTimeout,
  ): Promise<ProbeSession> {
    const session = new ProbeSession(
      host,
      address.address,
      await SmtpProbeConnection.open(address, caller.port, timeout),
      caller,
    );
    try {
      session.#insist(await session.connection.ask(null, 'the greeting', timeout));
      await session.#introduce(timeout);
      return session;
    } catch (error) {
      session.quit(timeout.timer);
      throw error;
    }
  }

  /** Whether it allows another probe with two recipients: the address and the control address. */
  get hasRoom(): boolean {
    return !this.connection.isOver && this.#recipients + 2 <= MAX_RECIPIENTS;
  }

  /**
   * Starts a transaction that is never completed.
   * @throws ProbeFailure, also for an address that needs what the server does not offer; ProbeRefusal; the signal's reason
   */
  async begin({ isUtf8 }: ProbedAddress, timeout: StepTimeout): Promise<void> {
    // A message to such an address must not be sent to a server without it (RFC 6531, section 3.2). Another host may support it.
    if (isUtf8 && !this.#extensions.has('SMTPUTF8'))
      throw new ProbeFailureError('protocol', 'the server has no SMTPUTF8');
    if (this.#isDirty) this.#insist(await this.connection.ask('RSET', 'the answer to RSET', timeout));
    this.#isDirty = true;
    const from = `MAIL FROM:<${this.caller.sender}>${isUtf8 ? ' SMTPUTF8' : ''}`;
    this.#insist(await this.connection.ask(from, 'the answer to MAIL', timeout));
  }

  /** @throws ProbeFailure; the signal's reason */
  recipient(address: string, timeout: StepTimeout): Promise<Reply> {
    this.#recipients += 1;
    return this.connection.ask(`RCPT TO:<${address}>`, 'the answer to RCPT', timeout);
  }

  quit(timer: Timer): void {
    this.connection.quit(timer);
    this.onOver?.();
    this.onOver = null;
  }

  async #introduce(timeout: StepTimeout): Promise<void> {
    const { helo } = this.caller;
    const reply = await this.connection.ask(`EHLO ${helo}`, 'the answer to EHLO', timeout);
    // A server from before 1993 does not support EHLO (RFC 5321, section 3.2).
    const isOld = reply.code !== null && NO_EHLO.has(reply.code);
    this.#insist(isOld ? await this.connection.ask(`HELO ${helo}`, 'the answer to HELO', timeout) : reply);
    this.#extensions = isOld ? new Set() : parseExtensions(reply.text);
  }

  /** @returns false when the connection was lost; a server may refuse and continue in plain text */
  async #encrypt(timeout: StepTimeout): Promise<boolean> {
    try {
      const reply = await this.connection.ask('STARTTLS', 'the answer to STARTTLS', timeout);
      if (!isPositive(reply)) return !this.connection.isOver;
      await this.connection.encrypt(this.host, timeout);
      await this.#introduce(timeout);
      return true;
    } catch (error) {
      if (error instanceof ProbeFailureError || error instanceof ProbeRefusedError) return false;
      throw error;
    }
  }

  #insist(reply: Reply): void {
    if (isPositive(reply)) return;
    throw new ProbeRefusedError(reply, this.address);
  }
}

function isPositive({ code }: Reply): boolean {
  return code !== null && code >= 200 && code < 300;
}

/** The keywords after the first line of a reply to EHLO. */
function parseExtensions(ehlo: string): ReadonlySet<string> {
  const [, ...lines] = ehlo.split('\n');
  return new Set(lines.map((line) => line.slice(4).trim().split(' ', 1)[0]?.toUpperCase() ?? ''));
}
