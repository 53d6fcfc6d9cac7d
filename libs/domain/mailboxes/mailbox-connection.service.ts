import { systemScope } from '@domain/access';
import { EventsService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type MailFailure } from '@adapters/mail';
import { ClockPort } from '@platform/clock';
import { writeConflict, TransactionService } from '@platform/database';
import { HookRegistry } from '@platform/hooks';
import { LogService } from '@platform/observability';
import { SecretBoxService, SecretOpenError } from '@platform/secrets';
import { type Model, type Types } from 'mongoose';
import { redactSecrets } from './mailbox-check';
import {
  afterFailure,
  afterSuccess,
  toError,
  type ConnectionFailure,
  type OutageReason,
  type ConnectionSuccess,
} from './mailbox-connection';
import { getMailboxSecretOwner } from './mailbox-secrets';
import { getMailboxStatus } from './mailbox-status';
import { MailboxCheckQueue } from './mailbox-check.queue';
import { MAILBOX_HOOKS } from './mailbox-hooks';
import {
  type ConnectionState,
  type MailboxConnection,
  type MailboxError,
  MailboxRecord,
  type MailHalf,
} from './schemas/mailbox.record';

/** A mailbox with the credentials that were used. */
export interface MailboxAtWork {
  readonly workspaceId: Types.ObjectId | string;
  readonly mailboxId: Types.ObjectId | string;
  /** The account's revision: outcomes of older credentials say nothing about the current ones. */
  readonly revision: string | number;
}

type WithPasswords = Pick<MailboxRecord, '_id' | 'workspaceId' | 'smtpCredentials' | 'imapCredentials'>;
type StoredConnection = WithPasswords & Pick<MailboxRecord, 'email' | 'pausedAt' | 'connection'>;
interface ConnectionChanged {
  readonly workspaceId: string;
  readonly mailboxId: string;
  readonly was: Pick<MailboxConnection, 'state' | 'half'>;
  readonly connection: MailboxConnection;
  /** Why it is worse than before. */
  readonly why?: { code: string | null; stage: MailFailure['stage'] };
}

type Change = ConnectionFailure | ConnectionSuccess;

/** Tracks whether mailboxes can be reached. Every service that works with a mailbox reports its outcome here. */
@Injectable()
export class MailboxConnectionService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly hooks: HookRegistry,
    private readonly queue: MailboxCheckQueue,
    private readonly box: SecretBoxService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /**
   * Records a failure of work with a mailbox. Report every failure: those that do not concern the connection, and those
   * before the next check is due, are ignored.
   * @param half which half failed; null when it is not known
   */
  async recordFailure(mailbox: MailboxAtWork, failure: MailFailure, half: MailHalf | null = null): Promise<void> {
    const now = this.clock.now();
    const random = Math.random();
    const decide = ({ connection }: StoredConnection) => afterFailure(connection, failure, half, now, random);
    const found = await this.#read(mailbox);
    if (!found || !decide(found)) return;
    const written = await this.transactions.run(async () => {
      const current = await this.#read(mailbox);
      const change = current && decide(current);
      if (!current || !change) return null;
      const redact = this.createSecretMask(current);
      const { code, response, message, ...error } = toError(failure, now);
      const lastError = {
        ...error,
        code: code && redact(code),
        response: redact(response),
        message: redact(message),
      };
      await this.#write(mailbox, current, change, { lastError });
      if (change.disconnected) await this.#recordDisconnected(current, change, change.disconnected, lastError);
      const why = { code: lastError.code, stage: failure.stage };
      return { connection: change.connection, was: current.connection, why };
    });
    if (written) await this.#afterChange({ ...toIds(mailbox), ...written });
  }

  /**
   * Records a success. Costs one read and no write while the mailbox is connected.
   * @param half which half worked; `both` only for a check of both
   */
  async recordSuccess(mailbox: MailboxAtWork, half: MailHalf | 'both'): Promise<void> {
    const now = this.clock.now();
    const found = await this.#read(mailbox, { 'connection.state': { $ne: 'connected' } });
    if (!found || !afterSuccess(found.connection, half, now)) return;
    const written = await this.transactions.run(async () => {
      const current = await this.#read(mailbox);
      const change = current && afterSuccess(current.connection, half, now);
      if (!current || !change) return null;
      await this.#write(mailbox, current, change, { lastError: null });
      if (change.reconnected) await this.#recordReconnected(current, change.reconnected);
      return { connection: change.connection, was: current.connection };
    });
    if (written) await this.#afterChange({ ...toIds(mailbox), ...written });
  }

  async #read(
    { workspaceId, mailboxId, revision }: MailboxAtWork,
    where: object = {},
  ): Promise<StoredConnection | null> {
    return this.mailboxes
      .findOne(
        { _id: mailboxId, workspaceId, credentialsRevision: Number(revision), ...where },
        { workspaceId: 1, email: 1, pausedAt: 1, connection: 1, smtpCredentials: 1, imapCredentials: 1 },
      )
      .lean();
  }

  async #write(
    { workspaceId, mailboxId, revision }: MailboxAtWork,
    { connection: before, pausedAt }: StoredConnection,
    { connection }: Change,
    more: Pick<MailboxRecord, 'lastError'>,
  ): Promise<void> {
    const { matchedCount } = await this.mailboxes.updateOne(
      {
        _id: mailboxId,
        workspaceId,
        credentialsRevision: Number(revision),
        pausedAt,
        'connection.state': before.state,
        'connection.since': before.since,
        'connection.failures': before.failures,
        'connection.nextCheckAt': before.nextCheckAt,
      },
      { $set: { connection, status: getMailboxStatus(pausedAt !== null, connection.state), ...more } },
    );
    if (matchedCount === 0) throw writeConflict('The mailbox');
  }

  /** Returns a function that removes the mailbox's passwords from a text: some servers repeat the refused line. */
  createSecretMask({ _id, workspaceId, ...mailbox }: WithPasswords): (text: string) => string {
    const secrets = (['smtp', 'imap'] as const).flatMap((server) => {
      const { user, password } = mailbox[`${server}Credentials`] ?? {};
      const opened = password && this.#openPassword(password, getMailboxSecretOwner(workspaceId, _id, server));
      return opened ? [opened, `\0${user}\0${opened}`] : [];
    });
    return (text) => redactSecrets(text, secrets);
  }

  /** Null for a password that cannot be opened: it was not sent either. */
  #openPassword(encrypted: string, owner: string): string | null {
    try {
      return this.box.open(encrypted, owner);
    } catch (error) {
      if (error instanceof SecretOpenError) return null;
      throw error;
    }
  }

  async #recordDisconnected(
    { _id, workspaceId, email }: StoredConnection,
    { connection: { since } }: ConnectionFailure,
    reason: OutageReason,
    { code, command, message }: MailboxError,
  ): Promise<void> {
    const mailboxId = _id.toHexString();
    await this.events.record(systemScope(workspaceId.toHexString()), {
      type: 'mailbox.disconnected',
      dedupeKey: `mailbox.disconnected:${mailboxId}:${since.toISOString()}`,
      about: { mailboxId },
      data: { email, reason, error: { code, command, message } },
    });
  }

  async #recordReconnected({ _id, workspaceId, email }: StoredConnection, since: Date): Promise<void> {
    await this.events.record(systemScope(workspaceId.toHexString()), toReconnectedEvent(_id, email, since));
  }

  /** Notifies the hooks and schedules the next check, after the transaction. */
  async #afterChange(change: ConnectionChanged): Promise<void> {
    const { workspaceId, mailboxId, was, connection } = change;
    if (connection.state !== was.state) {
      this.#logChange(change, was.state);
      await this.hooks.call(MAILBOX_HOOKS, 'changed', { workspaceId }, mailboxId);
    }
    if (connection.nextCheckAt) await this.queue.schedule({ workspaceId, mailboxId }, connection.nextCheckAt);
  }

  /** Once for each change of state. Of the server's reply only the code is logged. */
  #logChange({ mailboxId, connection: { state, half }, was, why }: ConnectionChanged, from: ConnectionState): void {
    const [level, message] = why
      ? (['warn', 'A mailbox cannot be reached'] as const)
      : (['info', 'A mailbox can be reached again'] as const);
    this.log[level](message, { mailboxId, was: from, state, half: why ? half : was.half, ...why });
  }
}

/** The end of the outage that began at `since`; recorded once per outage. */
export function toReconnectedEvent(_id: Types.ObjectId, email: string, since: Date) {
  const mailboxId = _id.toHexString();
  return {
    type: 'mailbox.reconnected',
    dedupeKey: `mailbox.reconnected:${mailboxId}:${since.toISOString()}`,
    about: { mailboxId },
    data: { email, disconnectedAt: since.toISOString() },
  } as const;
}

function toIds({ workspaceId, mailboxId }: MailboxAtWork): { workspaceId: string; mailboxId: string } {
  return { workspaceId: String(workspaceId), mailboxId: String(mailboxId) };
}
