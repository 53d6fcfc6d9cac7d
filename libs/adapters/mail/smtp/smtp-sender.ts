import { type OutboundAddressService } from '@platform/outbound';
import { type SmtpImapAccount } from '../port/account';
import { MailError } from '../port/mail.errors';
import { type ComposedMessage, type SendOptions, type SendOutcome } from '../port/send';
import { type CheckResult } from '../port/session';
import { type EitherSignal, joinSignals, isTooLate } from '../concurrency/joined-signal';
import { IdleConnections } from './idle-connections';
import { SendSlots } from './send-slots';
import { type SmtpConnection } from './smtp-connection';
import { createMailError, toNotAccepted } from './smtp-outcomes';
import { SMTP_LIMITS, type SmtpLimits } from './smtp-limits';
import { openConnection, type OpeningOptions } from './smtp-opening';
import { type Attempt, attemptOn, unusable } from './smtp-transaction';

export interface SmtpSenderSettings {
  readonly smtp: SmtpImapAccount['smtp'];
  /** The EHLO name of this machine: a host name, or an address in brackets. */
  readonly ehloName: string;
  readonly guard: OutboundAddressService;
  /** Whether the operator allows passwords for servers without encryption. */
  readonly allowPlaintext: boolean;
  /** Concurrent connections. Default 2; at most 3 for Microsoft's servers, which is their limit. */
  readonly maxConnections?: number;
  readonly limits?: Partial<SmtpLimits>;
  /** PEM certificates to trust instead of the built-in ones, for tests; operators have NODE_EXTRA_CA_CERTS. */
  readonly ca?: string;
}

const DEFAULT_CONNECTIONS = 2;
const MICROSOFT = /(?:^|\.)(?:office365|outlook)\.com\.?$/i;
const MICROSOFT_CONNECTIONS = 3;

/**
 * Sends the messages of one mailbox over SMTP. Opens a few connections on demand and keeps them. Calls may run concurrently; none throws
 * for a server's behaviour.
 */
export class SmtpSender {
  readonly #opening: OpeningOptions;
  readonly #slots: SendSlots;
  readonly #idle: IdleConnections;
  readonly #live = new Set<SmtpConnection>();
  readonly #closing = new AbortController();

  constructor(settings: SmtpSenderSettings) {
    const limits = { ...SMTP_LIMITS, ...settings.limits };
    const { smtp, ehloName, guard, allowPlaintext, ca, maxConnections = DEFAULT_CONNECTIONS } = settings;
    this.#opening = { smtp, ehloName, guard, allowPlaintext, limits, ca };
    const most = MICROSOFT.test(smtp.host) ? Math.min(maxConnections, MICROSOFT_CONNECTIONS) : maxConnections;
    this.#slots = new SendSlots(Math.max(1, most));
    this.#idle = new IdleConnections(limits.idleMs);
  }

  /** Logs in on a fresh connection and sends nothing. */
  async verify(signal?: AbortSignal): Promise<CheckResult> {
    const stop = this.#stopBy(signal);
    try {
      const release = await this.#slots.acquire(stop.signal);
      try {
        // An existing connection proves nothing about the present credentials, and would exceed the limit.
        await this.#idle.acquire()?.quit();
        this.#keep(await this.#open(stop.signal));
        return { ok: true };
      } finally {
        release();
      }
    } catch (error) {
      const { kind: _kind, ...failure } = toNotAccepted(toMailError(error, stop.signal));
      return { ok: false, ...failure };
    } finally {
      stop.done();
    }
  }

  /**
   * Submits one message to the server. `temporary` means that the server certainly does not have it.
   * @throws only what `beforeHandover` threw
   */
  async send(message: ComposedMessage, options: SendOptions): Promise<SendOutcome> {
    const refused = unusable(message);
    if (refused) return toNotAccepted(refused);
    const stop = this.#stopBy(options.signal, options.deadline);
    let attempt: Attempt;
    try {
      const release = await this.#slots.acquire(stop.signal);
      try {
        attempt = await this.#attempt(message, options, stop.signal);
      } finally {
        release();
      }
    } catch (error) {
      // Nothing was submitted: only opening a connection and waiting for one throw.
      if (options.signal?.aborted) return { kind: 'withheld' };
      return toNotAccepted(toMailError(error, stop.signal));
    } finally {
      stop.done();
    }
    if (attempt.kind === 'hook-failed') throw attempt.error;
    if (attempt.kind !== 'not-begun') return attempt;
    return options.signal?.aborted ? { kind: 'withheld' } : attempt.outcome;
  }

  /** Closes all connections. Running sends fail, and waiting ones fail as `temporary`. */
  async close(): Promise<void> {
    this.#closing.abort(createMailError('temporary', 'connect', 'The mailbox was closed'));
    this.#slots.close();
    const idle = this.#idle.acquireAll();
    for (const connection of this.#live) if (!idle.includes(connection)) connection.end({ how: 'stopped' });
    await Promise.all(idle.map((connection) => connection.quit()));
  }

  async #attempt(message: ComposedMessage, options: SendOptions, signal: AbortSignal): Promise<Attempt> {
    const idle = this.#idle.acquire();
    if (idle) {
      const first = await this.#use(idle, message, options, signal);
      // The server has closed the connection, or does so now (421), before any command: a new one can be used.
      const stale = first.kind === 'not-begun' && idle.over !== null && !signal.aborted;
      if (!stale) return first;
    }
    return this.#use(await this.#open(signal), message, options, signal);
  }

  async #use(connection: SmtpConnection, message: ComposedMessage, options: SendOptions, signal: AbortSignal) {
    const attempt = await attemptOn(connection, this.#opening.smtp.host, message, options, signal);
    this.#keep(connection);
    return attempt;
  }

  async #open(signal: AbortSignal): Promise<SmtpConnection> {
    return openConnection(this.#opening, signal, (connection) => {
      for (const known of this.#live) if (known.over !== null) this.#live.delete(known);
      this.#live.add(connection);
    });
  }

  #keep(connection: SmtpConnection): void {
    if (this.#closing.signal.aborted) connection.end({ how: 'stopped' });
    else this.#idle.put(connection);
  }

  /** One signal for the caller's and for `close`. */
  #stopBy(...signals: readonly (AbortSignal | undefined)[]): EitherSignal {
    return joinSignals(...signals, this.#closing.signal);
  }
}

/** The cause of an ended wait: a failure, or a signal with any reason. */
function toMailError(error: unknown, signal: AbortSignal): MailError {
  if (error instanceof MailError && (error.stage === 'busy' || !signal.aborted)) return error;
  if (signal.reason instanceof MailError) return signal.reason;
  if (isTooLate(signal)) {
    const stage = error instanceof MailError ? error.stage : 'connect';
    return createMailError('temporary', stage, 'The SMTP server did not answer in time');
  }
  if (signal.aborted)
    return createMailError('temporary', 'connect', 'The send was stopped before any request to the server');
  throw error;
}
