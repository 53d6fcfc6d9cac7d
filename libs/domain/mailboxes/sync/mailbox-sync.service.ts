import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type MailError, type MailSession, MailSessionPool } from '@adapters/mail';
import { LogService } from '@platform/observability';
import { type Model, type Types } from 'mongoose';
import { MailboxAccountService } from '../mailbox-account.service';
import { MailboxConnectionService } from '../mailbox-connection.service';
import { MailboxRecord } from '../schemas/mailbox.record';
import { type Arrival, MailArrivalRegistry } from './mail-arrival.registry';
import { MailboxSyncRepository } from './mailbox-sync.repository';

/** Names a mailbox with the credentials that it has. */
export interface SyncTarget {
  readonly workspaceId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId;
  readonly revision: number;
}

/** Changes that are read, and kept in one transaction, at a time. */
const BATCH = 200;

/** Reads what is new in a mailbox. */
@Injectable()
export class MailboxSyncService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly connections: MailboxConnectionService,
    private readonly store: MailboxSyncRepository,
    private readonly arrivals: MailArrivalRegistry,
    private readonly log: LogService,
  ) {}

  /**
   * Works with the mailbox's session: `work` may read as often as it likes.
   * @returns false when the mailbox is gone, has other credentials by now, or is not connected
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
      work(() => this.#read(mailbox, session, signal), session),
    );
    return true;
  }

  /** The mailbox cannot be reached: from now on it is tried now and then, and read again once that helps. */
  async recordFailure(target: SyncTarget, failure: MailError): Promise<void> {
    await this.connections.failed({ ...target, revision: String(target.revision) }, failure, 'incoming');
  }

  /** Reads to the end and says how many messages were new. */
  async #read(mailbox: MailboxRecord, session: MailSession, signal: AbortSignal): Promise<number> {
    const state = await this.store.state(mailbox, mailbox.createdAt);
    let fresh = 0;
    if (!state) return fresh;
    const { since } = state;
    let { cursor } = state;
    for (;;) {
      const batch = await session.sync({ cursor, since, limit: BATCH, signal });
      if (batch.restarted.length > 0) {
        this.log.info('Folders are read anew', {
          mailboxId: mailbox._id.toHexString(),
          folders: batch.restarted.length,
        });
      }
      const kept = await this.store.save(mailbox, cursor, batch);
      if (kept === null) {
        // Another reader was faster, and may have looked before what this one saw: it goes on where that one is.
        const reached = await this.store.reached(mailbox);
        if (!reached) return fresh;
        cursor = reached.cursor;
        continue;
      }
      fresh += kept;
      if (kept > 0) await this.arrivals.notify(toArrival(mailbox));
      cursor = batch.cursor;
      if (!batch.more) return fresh;
    }
  }
}

function toArrival({ workspaceId, _id }: MailboxRecord): Arrival {
  return { workspaceId: workspaceId.toHexString(), mailboxId: _id.toHexString() };
}
