import { isDeepStrictEqual } from 'node:util';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { EventsService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { type UpdateMailboxRequest } from './dto/mailbox-requests.dto';
import { type MailboxResponse } from './dto/mailbox.dto';
import { auditedChanges, auditTarget } from './mailbox-audit';
import { createConnection, isDown } from './mailbox-connection';
import { omitUndefined } from './omit-undefined';
import { requireMailbox } from './mailbox-lookup';
import { type VerifiedServers, ServerProofService } from './server-proof.service';
import { getStatus } from './mailbox-status';
import { toReconnectedEvent } from './mailbox-connection.service';
import { mailboxChanged } from './mailboxes.errors';
import { MailboxesService } from './mailboxes.service';
import { MailboxRecord } from './schemas/mailbox.record';

type Changes = Partial<MailboxRecord>;

/** Changing a mailbox. */
@Injectable()
export class MailboxUpdateService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly proof: ServerProofService,
    private readonly shown: MailboxesService,
    private readonly audit: AuditService,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Changes what is given and leaves the rest. Other servers, user names or passwords are tried first, and when they let us
   * in the mailbox is connected again.
   * @throws NOT_FOUND, CONFLICT when the credentials were changed meanwhile, VALIDATION_ERROR for a host or port that this
   *   installation does not connect to, for another server without its password, and for servers of a mailbox without any,
   *   MAILBOX_CHECK_FAILED
   */
  async update(workspace: WorkspaceScope, mailboxId: string, input: UpdateMailboxRequest): Promise<MailboxResponse> {
    const read = await requireMailbox(this.mailboxes, workspace, mailboxId);
    const servers = await this.proof.verifyServers(read, input);
    const record = await this.transactions.run(async () => {
      const before = await requireMailbox(this.mailboxes, workspace, mailboxId);
      if (servers && before.credentialsRevision !== read.credentialsRevision) throw mailboxChanged();
      const changes = this.#changes(before, input, servers);
      return Object.keys(changes).length === 0 ? before : this.#write(workspace, before, changes);
    });
    // Also when nothing was to be done: whoever asks again may not have got the first answer.
    return this.shown.notifyAndGet(workspace, record);
  }

  #changes(before: MailboxRecord, input: UpdateMailboxRequest, servers: VerifiedServers | null): Changes {
    const { displayName, signature, tags, dailySendLimit, sendGapSeconds, timezone, sendingEnabled } = input;
    const wanted = omitUndefined({
      displayName,
      signature,
      tags,
      dailySendLimit,
      sendGapSeconds,
      timezone,
      sendingEnabled,
    });
    const others = Object.entries(wanted).filter(
      ([field, value]) => !isDeepStrictEqual(before[field as keyof MailboxRecord], value),
    );
    const changes = Object.fromEntries(others) as Changes;
    if (changes.timezone !== undefined) changes.zoneChangedAt = this.clock.now();
    return { ...changes, ...(servers ? this.#reconnected(before, servers) : {}) };
  }

  /** What the old credentials met is over. */
  #reconnected({ pausedAt, credentialsRevision }: MailboxRecord, servers: VerifiedServers): Changes {
    return {
      ...servers,
      credentialsRevision: credentialsRevision + 1,
      connection: createConnection(this.clock.now()),
      status: getStatus(pausedAt !== null, 'connected'),
      lastError: null,
    };
  }

  async #write(workspace: WorkspaceScope, before: MailboxRecord, $set: Changes): Promise<MailboxRecord> {
    const { _id, workspaceId, connection, email } = before;
    const after = await this.mailboxes
      .findOneAndUpdate({ _id, workspaceId }, { $set }, { returnDocument: 'after' })
      .lean<MailboxRecord>()
      .orFail();
    const changes = auditedChanges(before, after);
    await this.audit.record(workspace, { action: 'mailbox.updated', target: auditTarget(_id), changes });
    if ($set.connection && isDown(connection.state)) {
      await this.events.record(workspace, toReconnectedEvent(_id, email, connection.since));
    }
    return after;
  }
}
