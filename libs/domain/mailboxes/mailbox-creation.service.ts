import { MailSessionPool } from '@adapters/mail';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { EventsService } from '@domain/events';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { isDuplicateKey, parseId, TransactionService } from '@platform/database';
import { validationFailed } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { type CreateMailboxRequest } from './dto/mailbox-requests.dto';
import { type MailboxResponse } from './dto/mailbox.dto';
import { MailboxAccountService } from './mailbox-account.service';
import { getAuditedMailboxChanges, toMailboxTarget } from './mailbox-audit';
import { getSecrets, toCheckError, verifyNow } from './mailbox-check';
import { createConnection } from './mailbox-connection';
import { listPortRefusals } from './mailbox-ports';
import { toNewServers, toServerFields } from './mailbox-servers';
import { addressTaken } from './mailboxes.errors';
import { MailboxesService } from './mailboxes.service';
import { omitUndefined } from './omit-undefined';
import { type ConnectionType, type MailboxProvider, MailboxRecord } from './schemas/mailbox.record';

/** A mailbox whose login was verified. Fields that are left out get their defaults. */
export type NewMailbox = {
  /** Its secrets are sealed for this id. */
  _id: Types.ObjectId;
  /** In lower case. */
  email: string;
  provider: MailboxProvider;
  connectionType: ConnectionType;
} & Partial<
  Omit<
    MailboxRecord,
    'workspaceId' | 'userId' | 'status' | 'connection' | 'pausedAt' | 'warmup' | 'setup' | 'updatedAt'
  >
>;

const DEFAULTS = { dailySendLimit: 30, sendGapSeconds: 60, timezone: 'UTC' };

/** Connects mailboxes by their servers and passwords, and inserts mailboxes that were connected in another way. */
@Injectable()
export class MailboxCreationService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly records: Model<MailboxRecord>,
    private readonly mailboxes: MailboxesService,
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Logs in to both servers and stores the mailbox when both logins succeed; otherwise nothing is stored.
   * @throws CONFLICT for an address that is connected, LIMIT_EXCEEDED, VALIDATION_ERROR for a host or port that this
   *   installation does not connect to, MAILBOX_CHECK_FAILED with the failed half, the reason and the server's reply
   */
  async create(workspace: WorkspaceScope, input: CreateMailboxRequest): Promise<MailboxResponse> {
    const { email, displayName, signature, tags, dailySendLimit, sendGapSeconds, timezone, sendingEnabled } = input;
    const { smtp, imap } = toNewServers(input);
    const refusals = listPortRefusals({ smtp: smtp.port, imap: imap.port }, this.config);
    if (refusals.length > 0) throw validationFailed(refusals);
    await this.checkLimit(workspace, email);
    const _id = new Types.ObjectId();
    const account = this.accounts.toDraftAccount({ id: _id.toHexString(), email, smtp, imap });
    const check = await this.sessions.once(account, verifyNow);
    const failed = toCheckError(check, getSecrets([smtp, imap]));
    if (failed) throw failed;
    const record = await this.insert(workspace, {
      ...omitUndefined({ displayName, signature, tags, dailySendLimit, sendGapSeconds, timezone, sendingEnabled }),
      ...toServerFields({ smtp, imap }),
      _id,
      email,
      provider: 'custom',
      connectionType: 'smtp',
      smtpCredentials: this.accounts.sealServer(workspace.workspaceId, _id, 'smtp', smtp),
      imapCredentials: this.accounts.sealServer(workspace.workspaceId, _id, 'imap', imap),
    });
    return this.mailboxes.toResponse(workspace, record);
  }

  /**
   * Refuses early what `insert` would refuse, before the caller waits for a login. `insert` checks again.
   * @throws CONFLICT for an address that is connected, LIMIT_EXCEEDED, NOT_FOUND for a deleted workspace
   */
  async checkLimit(workspace: WorkspaceScope, email: string): Promise<void> {
    const { workspaceId } = workspace;
    if (await this.records.exists({ workspaceId, email })) throw addressTaken(email);
    const connected = await this.records.countDocuments({ workspaceId });
    await this.limits.checkLimit(workspace, 'maxMailboxes', connected);
  }

  /**
   * Stores the mailbox, connected, with audit entry and event, in one transaction; joins a running one.
   * @throws CONFLICT for an address that is connected, LIMIT_EXCEEDED, NOT_FOUND for a deleted workspace
   */
  async insert(workspace: WorkspaceScope, mailbox: NewMailbox): Promise<MailboxRecord> {
    const { workspaceId, actor } = workspace;
    try {
      return await this.transactions.run(async () => {
        await this.#claimPlace(workspace, mailbox.email);
        const created = await this.records.create({
          ...DEFAULTS,
          ...mailbox,
          workspaceId,
          userId: actor.userId === null ? null : parseId(actor.userId),
          status: 'active',
          connection: createConnection(this.clock.now()),
        });
        const record = created.toObject<MailboxRecord>();
        await this.#recordCreation(workspace, record);
        return record;
      });
    } catch (error) {
      if (isDuplicateKey(error, 'email')) throw addressTaken(mailbox.email);
      throw error;
    }
  }

  /** Claims the workspace, so that of two concurrent insertions the second sees the first. */
  async #claimPlace(workspace: WorkspaceScope, email: string): Promise<void> {
    const { workspaceId } = workspace;
    await this.limits.claim(workspaceId);
    if (await this.records.exists({ workspaceId, email })) throw addressTaken(email);
    await this.limits.ensureRoom(workspace, 'maxMailboxes', await this.records.countDocuments({ workspaceId }));
  }

  async #recordCreation(workspace: WorkspaceScope, record: MailboxRecord): Promise<void> {
    const { _id, email, provider, connectionType } = record;
    const mailboxId = _id.toHexString();
    await this.audit.record(workspace, {
      action: 'mailbox.created',
      target: toMailboxTarget(_id),
      changes: getAuditedMailboxChanges(null, record),
    });
    await this.events.record(workspace, {
      type: 'mailbox.connected',
      dedupeKey: `mailbox.connected:${mailboxId}`,
      about: { mailboxId },
      data: { email, provider, connectionType },
    });
  }
}
