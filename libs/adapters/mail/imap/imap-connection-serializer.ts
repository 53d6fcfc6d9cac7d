import { acquireUnlessAborted } from '@platform/concurrency';
import { Mutex } from 'async-mutex';
import { type ImapFlow } from 'imapflow';
import { type SmtpImapAccount } from '../port/account';
import { MailError } from '../port/mail.errors';
import { joinSignals, isTooLate } from '../concurrency/joined-signal';
import { ImapCommands } from './imap-commands';
import { isAnswer, isImapConnectionFailure, getMailError } from './imap.errors';
import { type ImapLogin, createStoppedError } from './imap-login';

/** The connection as a task sees it. */
export interface QueuedTask {
  readonly imap: ImapCommands;
  /** Aborted as soon as another task waits for the connection: an idle listener then ends. */
  readonly requested: AbortSignal;
}

type Work<T> = (task: QueuedTask) => Promise<T>;

interface TaskOptions {
  /** Requires a new connection. */
  readonly reconnect?: boolean;
  /** Has no timeout while no other task waits for the connection. */
  readonly patient?: boolean;
}

interface Ticket extends Required<TaskOptions> {
  readonly signal: AbortSignal;
}

/** Milliseconds. */
const GOODBYE_MS = 5_000;

/**
 * The only connection of a session. Tasks run on it one after the other, in order of arrival. It is opened for the first task, kept
 * for a while after the last, and reopened when it was lost.
 */
export class ImapConnectionSerializer {
  #client: ImapFlow | undefined;
  readonly #mutex = new Mutex();
  #waiting = 0;
  #current: AbortController | undefined;
  #closed = false;
  #keep: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  constructor(
    private readonly login: ImapLogin,
    private readonly server: SmtpImapAccount['imap'],
    private readonly idleMs: number,
    private readonly taskTimeoutMs: number,
  ) {}

  /**
   * Runs a task after all earlier ones. If a kept connection is dead, the task is repeated once on a new one, unless it has reached
   * a point where it must not (`imap.committed`, `imap.settled`).
   * @throws MailError, and what `work` throws of its own
   */
  async run<T>(
    work: Work<T>,
    signal?: AbortSignal,
    { reconnect = false, patient = false }: TaskOptions = {},
  ): Promise<T> {
    if (this.#closed || signal?.aborted) throw createStoppedError(signal);
    const both = joinSignals(signal, this.#closing.signal);
    return this.#waitAndTake(work, { signal: both.signal, reconnect, patient }).finally(both.done);
  }

  /** Logs in on a new connection and keeps it, to prove the credentials. */
  async renew(signal?: AbortSignal): Promise<void> {
    const nothing = () => Promise.resolve();
    await this.run(nothing, signal, { reconnect: true });
  }

  /** Closes the connection: the running task fails. */
  close(): void {
    this.#closed = true;
    this.#closing.abort();
    this.#drop();
  }

  async #waitAndTake<T>(work: Work<T>, ticket: Ticket): Promise<T> {
    const release = await this.#enter(ticket.signal);
    try {
      if (ticket.reconnect) this.#drop();
      return await this.#take(work, ticket);
    } finally {
      release();
    }
  }

  async #enter(signal: AbortSignal): Promise<() => void> {
    this.#waiting += 1;
    this.#current?.abort();
    try {
      return await acquireUnlessAborted(this.#mutex, signal);
    } catch {
      throw isTooLate(signal) ? createBusyError() : createStoppedError(signal);
    } finally {
      this.#waiting -= 1;
    }
  }

  async #take<T>(work: Work<T>, { signal, patient }: Ticket): Promise<T> {
    if (signal.aborted) throw createStoppedError(signal);
    clearTimeout(this.#keep);
    const current = new AbortController();
    this.#current = current;
    const deadline = new Deadline(this.taskTimeoutMs);
    if (patient) current.signal.addEventListener('abort', () => deadline.begin(), { once: true });
    else deadline.begin();
    if (this.#waiting > 0) current.abort();
    const both = joinSignals(signal, deadline.signal);
    try {
      return await this.#attempt(work, current.signal, both.signal);
    } finally {
      both.done();
      deadline.end();
      this.#current = undefined;
      this.#keepForAWhile();
    }
  }

  async #attempt<T>(work: Work<T>, requested: AbortSignal, signal: AbortSignal): Promise<T> {
    const usable = this.#client?.usable ? this.#client : undefined;
    if (usable) {
      const imap = new ImapCommands(usable);
      try {
        return await this.#do(work, { imap, requested }, signal);
      } catch (error) {
        if (!(error instanceof InterruptedTaskError) || error.final || signal.aborted) throw unwrapError(error);
      }
    }
    const client = await this.#open(signal);
    try {
      return await this.#do(work, { imap: new ImapCommands(client), requested }, signal);
    } catch (error) {
      throw unwrapError(error);
    }
  }

  async #do<T>(work: Work<T>, task: QueuedTask, signal: AbortSignal): Promise<T> {
    const { imap } = task;
    // Closing the connection is the only way to end a running command.
    const stop = () => imap.client.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await work(task);
    } catch (error) {
      const { command, committed, settled } = imap;
      const isDisconnected = isImapConnectionFailure(error, !imap.client.usable);
      if (isDisconnected) this.#drop();
      if (signal.aborted && !committed) throw createStoppedError(signal);
      if (!isDisconnected && !isAnswer(error)) throw error;
      const failed = getMailError(error, { stage: 'request', command, committed });
      throw isDisconnected ? new InterruptedTaskError(failed, committed || settled) : failed;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #open(signal?: AbortSignal): Promise<ImapFlow> {
    this.#drop();
    const client = await this.login.open(this.server, signal);
    if (this.#closed || signal?.aborted) {
      client.close();
      throw createStoppedError(signal);
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
      // The reply to LOGOUT is not awaited.
      const end = () => (clearTimeout(limit), client.close());
      const limit = setTimeout(end, GOODBYE_MS);
      client.logout().then(end, end);
    }, this.idleMs).unref();
  }
}

/** The mailbox's own congestion: the server was not contacted. */
function createBusyError(): MailError {
  const message = 'The mailbox is busy: other work had its connection for reading; try again';
  return new MailError({ failure: 'temporary', stage: 'busy', message });
}

/** Bounds a task: a server that sends very slowly is never silent and would block the connection. */
class Deadline {
  readonly #late = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly ms: number) {}

  get signal(): AbortSignal {
    return this.#late.signal;
  }

  begin(): void {
    const late = () => this.#late.abort(new DOMException('The task took too long', 'TimeoutError'));
    this.#timer ??= setTimeout(late, this.ms).unref();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Marks a failure that justifies a new connection; internal to this file. */
class InterruptedTaskError extends Error {
  constructor(
    readonly failed: MailError,
    readonly final: boolean,
  ) {
    super('lost');
  }
}

function unwrapError(error: unknown): unknown {
  return error instanceof InterruptedTaskError ? error.failed : error;
}
