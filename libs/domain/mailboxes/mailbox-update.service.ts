import { isDeepStrictEqual } from 'node:util';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { EventsService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { HookRegistry } from '@platform/hooks';
import { type Model } from 'mongoose';
import { type UpdateMailboxRequest } from './dto/mailbox-requests.dto';
import { type MailboxResponse } from './dto/mailbox.dto';
import { getAuditedMailboxChanges, toMailboxTarget } from './mailbox-audit';
import { createConnection, isDown } from './mailbox-connection';
import { omitUndefined } from './omit-undefined';
import { requireMailbox } from './mailbox-lookup';
import { MailboxCheckService, type VerifiedServers } from './mailbox-check.service';
import { MAILBOX_HOOKS } from './mailbox-hooks';
import { getMailboxStatus } from './mailbox-status';
import { toReconnectedEvent } from './mailbox-connection.service';
import { mailboxChanged } from './mailboxes.errors';
import { MailboxesService } from './mailboxes.service';
import { MailboxRecord } from './schemas/mailbox.record';

type Changes = Partial<MailboxRecord>;

/** Changes, pauses and resumes mailboxes. */
@Injectable()
export class MailboxUpdateService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly records: Model<MailboxRecord>,
    private readonly checks: MailboxCheckService,
    private readonly mailboxes: MailboxesService,
    private readonly hooks: HookRegistry,
    private readonly audit: AuditService,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Changes the given fields. Other servers, user names or passwords are verified first; when both logins succeed, the
   * mailbox counts as connected again.
   * @throws NOT_FOUND, CONFLICT when the credentials were changed meanwhile, VALIDATION_ERROR for a host or port that this
   *   installation does not connect to, for another server without its password, and for servers of a mailbox without any,
   *   MAILBOX_CHECK_FAILED
   */
  async update(workspace: WorkspaceScope, mailboxId: string, input: UpdateMailboxRequest): Promise<MailboxResponse> {
    const read = await requireMailbox(this.records, workspace, mailboxId);
    const servers = await this.checks.verifyServers(read, input);
    const record = await this.transactions.run(async () => {
      const before = await requireMailbox(this.records, workspace, mailboxId);
      if (servers && before.credentialsRevision !== read.credentialsRevision) throw mailboxChanged();
      const changes = this.#toChanges(before, input, servers);
      return Object.keys(changes).length === 0 ? before : this.#write(workspace, before, changes);
    });
    // Also without a change: a repeated request may mean that the first response was lost.
    return this.mailboxes.notifyAndGet(workspace, record);
  }

  /**
   * After the return no message is submitted from the mailbox until it is resumed; its mail is still read. Pausing a paused
   * mailbox changes nothing.
   * @throws NOT_FOUND
   */
  async pause(workspace: WorkspaceScope, mailboxId: string): Promise<MailboxResponse> {
    return this.#setPaused(workspace, mailboxId, this.clock.now());
  }

  /**
   * Ends a pause, and a stop by the platform itself. A disconnected mailbox stays disconnected.
   * @throws NOT_FOUND
   */
  async resume(workspace: WorkspaceScope, mailboxId: string): Promise<MailboxResponse> {
    return this.#setPaused(workspace, mailboxId, null);
  }

  #toChanges(before: MailboxRecord, input: UpdateMailboxRequest, servers: VerifiedServers | null): Changes {
    const { displayName, signature, tags, dailySendLimit, sendGapSeconds, timezone, sendingEnabled } = input;
    const requested = omitUndefined({
      displayName,
      signature,
      tags,
      dailySendLimit,
      sendGapSeconds,
      timezone,
      sendingEnabled,
    });
    const others = Object.entries(requested).filter(
      ([field, value]) => !isDeepStrictEqual(before[field as keyof MailboxRecord], value),
    );
    const changes = Object.fromEntries(others) as Changes;
    if (changes.timezone !== undefined) changes.zoneChangedAt = this.clock.now();
    return { ...changes, ...(servers ? this.#toReconnection(before, servers) : {}) };
  }

  /** New credentials end an outage of the old ones. */
  #toReconnection({ pausedAt, credentialsRevision }: MailboxRecord, servers: VerifiedServers): Changes {
    return {
      ...servers,
      credentialsRevision: credentialsRevision + 1,
      connection: createConnection(this.clock.now()),
      status: getMailboxStatus(pausedAt !== null, 'connected'),
      lastError: null,
    };
  }

  async #write(workspace: WorkspaceScope, before: MailboxRecord, $set: Changes): Promise<MailboxRecord> {
    const { _id, workspaceId, connection, email } = before;
    const after = await this.records
      .findOneAndUpdate({ _id, workspaceId }, { $set }, { returnDocument: 'after' })
      .lean<MailboxRecord>()
      .orFail();
    const changes = getAuditedMailboxChanges(before, after);
    await this.audit.record(workspace, { action: 'mailbox.updated', target: toMailboxTarget(_id), changes });
    if ($set.connection && isDown(connection.state)) {
      await this.events.record(workspace, toReconnectedEvent(_id, email, connection.since));
    }
    return after;
  }

  async #setPaused(workspace: WorkspaceScope, mailboxId: string, pausedAt: Date | null): Promise<MailboxResponse> {
    const record = await this.transactions.run(async () => {
      const before = await requireMailbox(this.records, workspace, mailboxId);
      const wasStopped =
        pausedAt === null &&
        (await this.hooks.call(MAILBOX_HOOKS, 'resumed', workspace, before._id.toHexString())).includes(true);
      const changes = (before.pausedAt === null) !== (pausedAt === null);
      if (!changes && !wasStopped) return before;
      const action = pausedAt === null ? 'mailbox.resumed' : 'mailbox.paused';
      await this.audit.record(workspace, { action, target: toMailboxTarget(before._id) });
      return changes ? this.#writePaused(before, pausedAt) : before;
    });
    // Also without a change: a repeated request may mean that the first response was lost.
    return this.mailboxes.notifyAndGet(workspace, record);
  }

  async #writePaused({ _id, workspaceId, connection }: MailboxRecord, pausedAt: Date | null): Promise<MailboxRecord> {
    const status = getMailboxStatus(pausedAt !== null, connection.state);
    return this.records
      .findOneAndUpdate({ _id, workspaceId }, { $set: { pausedAt, status } }, { returnDocument: 'after' })
      .lean<MailboxRecord>()
      .orFail();
  }
}
