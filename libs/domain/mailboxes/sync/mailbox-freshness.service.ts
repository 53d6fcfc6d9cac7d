import { MailError } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type MailboxRecord } from '../schemas/mailbox.record';
import { MailboxSyncService, type SyncTarget } from './mailbox-sync.service';
import { MailboxSyncRepository } from './mailbox-sync.repository';

/**
 * Reads in a row that may end because somebody else reads the same mailbox and is faster. Each of them means that it got
 * further, so only a mailbox of which very much is unread takes as many.
 */
const MAX_READS = 20;

interface Reading {
  readonly done: Promise<void>;
  readonly stop: AbortController;
  waiting: number;
}

/** Makes sure that what has come into a mailbox has been seen. */
@Injectable()
export class MailboxFreshnessService {
  /** By mailbox and revision of its credentials. */
  readonly #readings = new Map<string, Reading>();

  constructor(
    private readonly sync: MailboxSyncService,
    private readonly store: MailboxSyncRepository,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Returns when the mailbox has been read to its end within the last `maxAgeMs` milliseconds: at once when it has, else
   * after reading it. Several at once share one read of this process, which ends when the last of them gives up.
   * @throws MailError when the mailbox cannot be read now (which is noted on it), what `signal` was aborted with
   */
  async ensure(mailbox: MailboxRecord, maxAgeMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const since = this.clock.in(-maxAgeMs);
    if (await this.#isFresh(mailbox, since)) return;
    signal.throwIfAborted();
    const key = `${mailbox._id.toHexString()}-${mailbox.credentialsRevision}`;
    const reading = this.#readings.get(key) ?? this.#begin(key, mailbox, since);
    reading.waiting += 1;
    try {
      await unlessAborted(reading.done, signal);
    } finally {
      reading.waiting -= 1;
      if (reading.waiting === 0) this.#end(key, reading);
    }
  }

  /** When the mailbox was last read to its end; null before that, and since a move to another server. */
  async readAt(mailbox: MailboxRecord): Promise<Date | null> {
    return this.store.syncedAt(mailbox);
  }

  #begin(key: string, mailbox: MailboxRecord, since: Date): Reading {
    const stop = new AbortController();
    const done = this.#read(mailbox, since, stop.signal);
    const reading = { done, stop, waiting: 0 };
    this.#readings.set(key, reading);
    return reading;
  }

  /** Without effect on a read that is done. */
  #end(key: string, reading: Reading): void {
    if (this.#readings.get(key) === reading) this.#readings.delete(key);
    reading.stop.abort();
  }

  async #read(mailbox: MailboxRecord, since: Date, signal: AbortSignal): Promise<void> {
    const { _id: mailboxId, workspaceId, credentialsRevision: revision } = mailbox;
    const target = { workspaceId, mailboxId, revision };
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      signal.throwIfAborted();
      await this.#readOnce(target, signal);
      if (await this.#isFresh(mailbox, since)) return;
    }
    throw notFresh('The mailbox is still being read');
  }

  /** That a connection breaks is an everyday thing: only what fails again at once is a matter of the mailbox. */
  async #readOnce(target: SyncTarget, signal: AbortSignal): Promise<void> {
    const read = () => this.sync.withSession(target, async (readAll) => void (await readAll()), signal);
    const isConnected = await read()
      .catch((error: unknown) => {
        if (signal.aborted || !(error instanceof MailError) || error.failure === 'needs-human') throw error;
        return read();
      })
      .catch(async (error: unknown) => {
        if (!signal.aborted && error instanceof MailError) await this.sync.recordFailure(target, error);
        throw error;
      });
    if (!isConnected) throw notFresh('The mailbox is not connected, or was connected anew a moment ago');
  }

  async #isFresh(mailbox: MailboxRecord, since: Date): Promise<boolean> {
    const syncedAt = await this.store.syncedAt(mailbox);
    return syncedAt !== null && syncedAt >= since;
  }
}

/** Says nothing about the connection: that is `MailboxConnectionService`' to judge. */
function notFresh(message: string): MailError {
  return new MailError({ failure: 'temporary', stage: 'busy', message });
}

/** What the work comes to, unless the signal is aborted first. The work itself goes on. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', abort);
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
