import { type ImapFlow } from 'imapflow';
import { type SmtpImapAccount } from '../port/account';
import { MailError } from '../port/mail.errors';
import { ImapCommands } from './imap.commands';
import { isAnswer, isLost, mailErrorOf } from './imap.errors';
import { type ImapLogin, stopped } from './imap.login';

/** What one piece of work on the connection can see. */
export interface Turn {
  readonly imap: ImapCommands;
  /** Aborted as soon as somebody else wants the connection: whoever only waits gives it up then. */
  readonly wanted: AbortSignal;
}

type Work<T> = (turn: Turn) => Promise<T>;

/**
 * The one connection of a session. Work takes turns on it in the order in which it came. It is opened for the first, kept
 * for a while after the last, and opened anew when it was lost.
 */
export class ImapLine {
  #client: ImapFlow | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #current: AbortController | undefined;
  #closed = false;
  #keep: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  constructor(
    private readonly login: ImapLogin,
    private readonly server: SmtpImapAccount['imap'],
    private readonly keepMs: number,
  ) {}

  /**
   * Does work when its turn comes. When a kept connection turns out to be dead, the work begins again on a new one, once,
   * unless it had come to where it must not (`imap.committed`, `imap.settled`).
   * @throws MailError, and what `work` throws of its own
   */
  async turn<T>(work: Work<T>, signal?: AbortSignal, { anew = false } = {}): Promise<T> {
    const both = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    if (this.#closed || signal?.aborted) throw stopped();
    const before = this.#tail;
    const mine = this.#waitAndTake(before, work, both, anew);
    this.#tail = Promise.all([before, mine.catch(() => undefined)]);
    return mine;
  }

  /** Logs in anew, whatever connection there is, and keeps the new one: proves the credentials. */
  async renew(signal?: AbortSignal): Promise<void> {
    const nothing = () => Promise.resolve();
    await this.turn(nothing, signal, { anew: true });
  }

  /** Ends the connection: what is under way fails. */
  close(): void {
    this.#closed = true;
    this.#closing.abort();
    this.#drop();
  }

  async #waitAndTake<T>(before: Promise<unknown>, work: Work<T>, signal: AbortSignal, anew: boolean): Promise<T> {
    this.#waiting += 1;
    this.#current?.abort();
    try {
      await untilAborted(before, signal);
    } finally {
      this.#waiting -= 1;
    }
    if (anew) this.#drop();
    return this.#take(work, signal);
  }

  async #take<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw stopped();
    clearTimeout(this.#keep);
    const current = new AbortController();
    this.#current = current;
    if (this.#waiting > 0) current.abort();
    try {
      return await this.#attempt(work, current.signal, signal);
    } finally {
      this.#current = undefined;
      this.#keepForAWhile();
    }
  }

  async #attempt<T>(work: Work<T>, wanted: AbortSignal, signal: AbortSignal): Promise<T> {
    const kept = this.#client?.usable ? this.#client : undefined;
    if (kept) {
      const imap = new ImapCommands(kept);
      try {
        return await this.#do(work, { imap, wanted }, signal);
      } catch (error) {
        if (!(error instanceof Lost) || error.final || signal.aborted) throw reasonOf(error);
      }
    }
    const client = await this.#open(signal);
    try {
      return await this.#do(work, { imap: new ImapCommands(client), wanted }, signal);
    } catch (error) {
      throw reasonOf(error);
    }
  }

  async #do<T>(work: Work<T>, turn: Turn, signal: AbortSignal): Promise<T> {
    const { imap } = turn;
    // Closing the connection is the only way to end a command that is under way.
    const stop = () => imap.client.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await work(turn);
    } catch (error) {
      const { command, committed, settled } = imap;
      const lost = isLost(error, !imap.client.usable);
      if (lost) this.#drop();
      if (signal.aborted && !committed) throw stopped();
      if (!lost && !isAnswer(error)) throw error;
      const failed = mailErrorOf(error, { stage: 'request', command, committed });
      throw lost ? new Lost(failed, committed || settled) : failed;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #open(signal?: AbortSignal): Promise<ImapFlow> {
    this.#drop();
    const client = await this.login.open(this.server, signal);
    if (this.#closed) {
      client.close();
      throw stopped();
    }
    this.#client = client;
    return client;
  }

  #drop(): void {
    this.#client?.close();
    this.#client = undefined;
    clearTimeout(this.#keep);
  }

  #keepForAWhile(): void {
    clearTimeout(this.#keep);
    const client = this.#client;
    if (!client || this.#waiting > 0) return;
    this.#keep = setTimeout(() => {
      this.#client = undefined;
      client.logout().then(
        () => client.close(),
        () => client.close(),
      );
    }, this.keepMs).unref();
  }
}

async function untilAborted(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(stopped());
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) throw stopped();
    await Promise.race([before, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Marks what is worth another connection; never leaves this file. */
class Lost extends Error {
  constructor(
    readonly failed: MailError,
    readonly final: boolean,
  ) {
    super('lost');
  }
}

function reasonOf(error: unknown): unknown {
  return error instanceof Lost ? error.failed : error;
}
