import { MailError, type MailSession, MailSessionPool } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { unlessAborted } from '@platform/concurrency';
import { HookRegistry } from '@platform/hooks';
import { LogService } from '@platform/observability';
import { type Model, type Types } from 'mongoose';
import { MailboxAccountService } from '../mailbox-account.service';
import { MailboxConnectionService } from '../mailbox-connection.service';
import { MailboxRecord } from '../schemas/mailbox.record';
import { type Arrival, MAIL_ARRIVAL } from './mail-arrival';
import { MailboxSyncRepository } from './mailbox-sync.repository';

/** A mailbox and the revision of its credentials. */
export interface SyncTarget {
  readonly workspaceId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId;
  readonly revision: number;
}

/** Changes that are read, and stored in one transaction, at a time. */
const BATCH = 200;
/**
 * Reads in a row that may end because another process reads the same mailbox faster. Each of them means progress of the
 * other, so only a mailbox with very much unread mail needs as many.
 */
const MAX_READS = 20;

interface Reading {
  readonly done: Promise<void>;
  readonly stop: AbortController;
  waiting: number;
}

/** Reads new mail, and ensures that a mailbox was read recently. */
@Injectable()
export class MailboxSyncService {
  /** By mailbox and revision of its credentials. */
  readonly #readings = new Map<string, Reading>();

  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly connections: MailboxConnectionService,
    private readonly store: MailboxSyncRepository,
    private readonly hooks: HookRegistry,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /**
   * Returns once the mailbox has been read to its end within the last `maxAgeMs` milliseconds, and reads it if necessary.
   * Concurrent callers share one read of this process, which stops when the last caller gives up.
   * @throws MailError when the mailbox cannot be read now (recorded on the mailbox); the reason of an aborted `signal`
   */
  async ensureFresh(mailbox: MailboxRecord, maxAgeMs: number, signal: AbortSignal): Promise<void> {
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

  /** When the mailbox was last read to its end; null before, and after a change of its server. */
  async readAt(mailbox: MailboxRecord): Promise<Date | null> {
    return this.store.syncedAt(mailbox);
  }

  /**
   * Calls `work` with the mailbox's session and a function that reads new mail.
   * @returns false when the mailbox is deleted, has other credentials by now, or is not connected
   * @throws MailError
   */
  async withSession(
    target: SyncTarget,
    work: (read: () => Promise<number>, session: MailSession) => Promise<void>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { workspaceId, mailboxId, revision } = target;
    const mailbox = await this.mailboxes.findOne({ _id: mailboxId, workspaceId, credentialsRevision: revision }).lean();
    if (mailbox?.connection.state !== 'connected') return false;
    await this.sessions.use(this.accounts.toAccount(mailbox), (session) =>
      work(() => this.#readAll(mailbox, session, signal), session),
    );
    return true;
  }

  /** Records that the mailbox cannot be reached. Checks retry it; it is read again once a check succeeds. */
  async recordFailure(target: SyncTarget, failure: MailError): Promise<void> {
    await this.connections.recordFailure({ ...target, revision: String(target.revision) }, failure, 'incoming');
  }

  #begin(key: string, mailbox: MailboxRecord, since: Date): Reading {
    const stop = new AbortController();
    const done = this.#readUntilFresh(mailbox, since, stop.signal);
    const reading = { done, stop, waiting: 0 };
    this.#readings.set(key, reading);
    return reading;
  }

  /** No effect on a finished read. */
  #end(key: string, reading: Reading): void {
    if (this.#readings.get(key) === reading) this.#readings.delete(key);
    reading.stop.abort();
  }

  async #readUntilFresh(mailbox: MailboxRecord, since: Date, signal: AbortSignal): Promise<void> {
    const { _id: mailboxId, workspaceId, credentialsRevision: revision } = mailbox;
    const target = { workspaceId, mailboxId, revision };
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      signal.throwIfAborted();
      await this.#readWithRetry(target, signal);
      if (await this.#isFresh(mailbox, since)) return;
    }
    throw notFresh('The mailbox is still being read');
  }

  /** Connections break often: only a second failure in a row concerns the mailbox. */
  async #readWithRetry(target: SyncTarget, signal: AbortSignal): Promise<void> {
    const read = () => this.withSession(target, async (readAll) => void (await readAll()), signal);
    const isConnected = await read()
      .catch((error: unknown) => {
        if (signal.aborted || !(error instanceof MailError) || error.failure === 'needs-human') throw error;
        return read();
      })
      .catch(async (error: unknown) => {
        if (!signal.aborted && error instanceof MailError) await this.recordFailure(target, error);
        throw error;
      });
    if (!isConnected) throw notFresh('The mailbox is not connected, or was reconnected a moment ago');
  }

  async #isFresh(mailbox: MailboxRecord, since: Date): Promise<boolean> {
    const syncedAt = await this.store.syncedAt(mailbox);
    return syncedAt !== null && syncedAt >= since;
  }

  /** Reads to the end and returns the number of new messages. */
  async #readAll(mailbox: MailboxRecord, session: MailSession, signal: AbortSignal): Promise<number> {
    const state = await this.store.state(mailbox, mailbox.createdAt);
    let fresh = 0;
    if (!state) return fresh;
    const { since } = state;
    let { cursor } = state;
    for (;;) {
      const batch = await session.sync({ cursor, since, limit: BATCH, signal });
      if (batch.restarted.length > 0) {
        this.log.info('Folders are read from the start again', {
          mailboxId: mailbox._id.toHexString(),
          folders: batch.restarted.length,
        });
      }
      const stored = await this.store.save(mailbox, cursor, batch);
      if (stored === null) {
        // Another reader stored a batch first, maybe an older one: continue at its cursor.
        const reached = await this.store.reached(mailbox);
        if (!reached) return fresh;
        cursor = reached.cursor;
        continue;
      }
      fresh += stored;
      if (stored > 0) await this.hooks.call(MAIL_ARRIVAL, 'arrived', toArrival(mailbox));
      cursor = batch.cursor;
      if (!batch.more) return fresh;
    }
  }
}

/** Stage `busy`: the error says nothing about the connection. */
function notFresh(message: string): MailError {
  return new MailError({ failure: 'temporary', stage: 'busy', message });
}

function toArrival({ workspaceId, _id }: MailboxRecord): Arrival {
  return { workspaceId: workspaceId.toHexString(), mailboxId: _id.toHexString() };
}
