import { type SelectedFolder, type ImapCommands } from './imap-commands';
import { type ImapConnectionSerializer, type QueuedTask } from './imap-connection-serializer';

/** Poll interval while other tasks use the connection (milliseconds). */
const GLANCE_MS = 1_000;

type Ending = 'changed' | 'wanted' | 'stopped';

/** One wait shared by concurrent callers, because a session has one connection. */
interface Round {
  readonly outcome: Promise<boolean>;
  readonly stop: AbortController;
  waiters: number;
}

/** Waits for changes of the inbox. */
export class ImapWatch {
  /** The state of the inbox at the last sync or poll. */
  #snapshot: SelectedFolder | null = null;
  #round: Round | undefined;
  /** Time of the last poll, by `performance.now()`. */
  #polledAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly line: ImapConnectionSerializer,
    private readonly times: { readonly pollMs: number; readonly probeMs: number; readonly idleMs: number },
  ) {}

  /** Records the state of the inbox after a sync. */
  saw(inbox: SelectedFolder): void {
    this.#snapshot = inbox;
  }

  /** @see MailSession.waitForChange */
  async wait(atMostMs: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const round = (this.#round ??= this.#begin());
    round.waiters += 1;
    const { promise: over, resolve: end } = Promise.withResolvers<false>();
    const stop = () => end(false);
    const timer = setTimeout(stop, atMostMs);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([round.outcome, over]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      round.waiters -= 1;
      if (round.waiters === 0) this.#finish(round);
    }
  }

  #begin(): Round {
    const stop = new AbortController();
    const outcome = this.#run(stop.signal);
    const round: Round = { outcome, stop, waiters: 0 };
    // A caller that left early is not notified of a failure.
    outcome.catch(() => undefined).finally(() => this.#finish(round));
    return round;
  }

  #finish(round: Round): void {
    round.stop.abort();
    if (this.#round === round) this.#round = undefined;
  }

  async #run(stop: AbortSignal): Promise<boolean> {
    for (;;) {
      const ending = await this.line.run((task) => this.#listen(task, stop), undefined, { patient: true });
      if (ending !== 'wanted') return ending === 'changed';
    }
  }

  async #listen({ imap, requested }: QueuedTask, stop: AbortSignal): Promise<Ending> {
    if (stop.aborted) return 'stopped';
    // Another task already waits for the connection, so listening now would not notice anything.
    if (requested.aborted && performance.now() - this.#polledAt < GLANCE_MS) return 'wanted';
    this.#polledAt = performance.now();
    const inbox = await imap.select('INBOX', 'read');
    const before = this.#snapshot;
    this.#snapshot = inbox;
    if (before !== null && !isSame(before, inbox)) return 'changed';
    if (requested.aborted) return 'wanted';
    // From here on a lost connection is an error, because changes may have been missed.
    imap.settled = true;
    const ear = new ChangeListener(imap, requested, stop);
    try {
      const ending = imap.has('IDLE') ? await this.#idle(imap, ear) : await this.#poll(imap, ear);
      // The next wait notices later changes.
      if (ending === 'changed') this.#snapshot = await imap.select('INBOX', 'read');
      return ending;
    } finally {
      ear.close();
    }
  }

  async #idle(imap: ImapCommands, ear: ChangeListener): Promise<Ending> {
    for (;;) {
      imap.command = 'IDLE';
      // IDLE ends without our command only when the server refuses it or the connection is lost.
      const idling = imap.client.idle().then((result) => (result === false ? 'refused' : 'over'));
      imap.expectSilence(this.times.idleMs * 2);
      const ending = await isWithin(this.times.idleMs, [ear.heard, idling]);
      imap.expectSilence(null);
      if (ending === 'refused' && imap.client.usable) return this.#poll(imap, ear);
      // Ends IDLE, proves the connection, and collects pending changes.
      await this.#probe(imap);
      await idling;
      if (ear.ending !== null) return ear.ending;
      // A server that ends IDLE without changes would otherwise be polled in a tight loop.
      if (ending === 'over') return this.#poll(imap, ear);
    }
  }

  async #poll(imap: ImapCommands, ear: ChangeListener): Promise<Ending> {
    for (;;) {
      await isWithin(this.times.pollMs, [ear.heard]);
      await this.#probe(imap);
      if (ear.ending !== null) return ear.ending;
    }
  }

  /** Abandons a frozen server soon, because other tasks wait for the connection. imapflow would wait forever for the start of IDLE. */
  async #probe(imap: ImapCommands): Promise<void> {
    const isAlive = await isWithin(this.times.probeMs, [imap.noop().then(() => true)]);
    if (isAlive) return;
    imap.client.close();
    throw Object.assign(new Error('The server does not answer'), { code: 'ETIMEDOUT' });
  }
}

/** The first result, or null after the timeout. */
async function isWithin<T>(ms: number, events: readonly Promise<T>[]): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), ms);
  try {
    return await Promise.race([...events, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Listens on a connection until there is a reason to stop waiting on it. */
class ChangeListener {
  /** The reason; fails when the connection is lost. */
  readonly heard: Promise<Ending>;
  ending: Ending | null = null;
  readonly #forget: (() => void)[] = [];

  constructor(imap: ImapCommands, requested: AbortSignal, stop: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<Ending>();
    this.heard = promise;
    const end = (ending: Ending) => () => {
      // New mail takes precedence over other reasons that end the wait.
      if (ending === 'changed') this.ending = ending;
      this.ending ??= ending;
      resolve(this.ending);
    };
    const { client } = imap;
    const changed = end('changed');
    for (const event of ['exists', 'expunge', 'flags'] as const) {
      client.on(event, changed);
      this.#forget.push(() => client.off(event, changed));
    }
    const fail = () =>
      reject(Object.assign(new Error('The connection was lost'), { code: 'NoConnection', reason: client.byeReason }));
    client.once('close', fail);
    this.#forget.push(() => client.off('close', fail));
    for (const [signal, ending] of [
      [requested, end('wanted')],
      [stop, end('stopped')],
    ] as const) {
      signal.addEventListener('abort', ending, { once: true });
      this.#forget.push(() => signal.removeEventListener('abort', ending));
      if (signal.aborted) ending();
    }
    promise.catch(() => undefined);
  }

  close(): void {
    for (const forget of this.#forget) forget();
  }
}

function isSame(a: SelectedFolder, b: SelectedFolder): boolean {
  return a.uidValidity === b.uidValidity && a.uidNext === b.uidNext && a.exists === b.exists && a.modseq === b.modseq;
}
