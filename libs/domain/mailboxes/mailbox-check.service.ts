import {
  type LoginSource,
  type MailAccount,
  type MailCheck,
  MailError,
  type MailFailure,
  MailSessionPool,
  type SmtpImapAccount,
} from '@adapters/mail';
import { type WorkspaceScope } from '@domain/access';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { isDatabaseUnavailable, parseId } from '@platform/database';
import { type ErrorDetail, validationFailed } from '@platform/errors';
import { LogService } from '@platform/observability';
import { type Sweep } from '@platform/queues';
import { type Model } from 'mongoose';
import { type UpdateMailboxRequest } from './dto/mailbox-requests.dto';
import { type MailboxTestResponse, type TestMailResponse, toCheckResult } from './dto/mailbox-test.dto';
import { MailboxAccountService } from './mailbox-account.service';
import { findFailure, getSecrets, type HalfFailure, toCheckError, verifyNow } from './mailbox-check';
import { type CheckMailbox, MailboxCheckQueue } from './mailbox-check.queue';
import { MailboxConnectionService } from './mailbox-connection.service';
import { requireMailbox } from './mailbox-lookup';
import { listPortRefusals } from './mailbox-ports';
import {
  type Half,
  listMisplacedSettings,
  listMissingPasswords,
  type ServerInput,
  type ServersInput,
  toServerFields,
  toServersInput,
} from './mailbox-servers';
import { MailboxRecord, type ServerCredentials } from './schemas/mailbox.record';

/** Mailboxes per sweep, longest due first; the next sweep continues. */
const SWEEP_BATCH = 500;
/** Tolerated clock difference between two machines before a job that runs early is dismissed. */
const CLOCK_TOLERANCE_MS = 5_000;
/** How often a check is retried while the workspace is deleted: it may be restored. */
const DELETED_RETRY_MS = 60 * 60_000;

/** The mail of a test of a mailbox. */
export interface MailboxTestMail {
  /** Called before the test; an error refuses it. */
  readonly prepare: (mailbox: MailboxRecord) => Promise<void>;
  readonly send: (mailbox: MailboxRecord) => Promise<TestMailResponse>;
}

/** Servers and logins of a mailbox, in their stored form. */
export type VerifiedServers = ReturnType<typeof toServerFields> & {
  smtpCredentials: ServerCredentials;
  imapCredentials: ServerCredentials;
};

interface SentLogin {
  user: string;
  password: string;
}

/** Checks whether mailboxes can log in: when an outage is due for a retry, on request, and before servers are stored. */
@Injectable()
export class MailboxCheckService implements Sweep {
  readonly name = 'mailbox-check';

  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly connections: MailboxConnectionService,
    private readonly queue: MailboxCheckQueue,
    private readonly workspaces: WorkspaceRepository,
    private readonly config: Config,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** Logs in to both halves and records the outcome. Ignores mailboxes that are deleted, connected or not due. */
  async check({ workspaceId, mailboxId }: CheckMailbox, signal?: AbortSignal): Promise<void> {
    const mailbox = await this.#findDue(workspaceId, mailboxId);
    if (!mailbox) return;
    const alive = await this.workspaces.filterAlive([workspaceId]);
    if (!alive.has(workspaceId)) return this.#postpone(mailbox);
    const atWork = { workspaceId, mailboxId, revision: mailbox.credentialsRevision };
    const failed = await this.findFailure(mailbox, signal);
    signal?.throwIfAborted();
    if (failed) await this.connections.recordFailure(atWork, failed.failure, failed.half);
    else await this.connections.recordSuccess(atWork, 'both');
  }

  /** Schedules the missing jobs of all mailboxes that are due: Redis may have lost them. */
  async sweep(): Promise<number> {
    const due = await this.mailboxes
      .find(
        { 'connection.nextCheckAt': { $gt: new Date(0), $lte: this.clock.now() } },
        { workspaceId: 1, connection: 1 },
      )
      .setOptions({ allWorkspaces: 'the worker checks the mailboxes of all workspaces' })
      .sort({ 'connection.nextCheckAt': 1 })
      .limit(SWEEP_BATCH)
      .lean();
    let created = 0;
    for (const { _id, workspaceId, connection } of due) {
      const mailbox = { workspaceId: workspaceId.toHexString(), mailboxId: _id.toHexString() };
      if (connection.nextCheckAt && (await this.queue.scheduleIfMissing(mailbox, connection.nextCheckAt))) created += 1;
    }
    return created;
  }

  /**
   * Logs in to both halves and returns the result of each; then sends the test mail, if there is one. A failure is a
   * result, and is recorded on the mailbox. Takes at most a minute.
   * @throws NOT_FOUND, any error of `mail.prepare`
   */
  async test(
    workspace: WorkspaceScope,
    mailboxId: string,
    mail: MailboxTestMail | null = null,
  ): Promise<MailboxTestResponse> {
    const mailbox = await requireMailbox(this.mailboxes, workspace, mailboxId);
    await mail?.prepare(mailbox);
    return this.sessions.use(this.accounts.toAccount(mailbox), async (session) => {
      const check = await verifyNow(session);
      await this.#recordCheck(mailbox, check);
      const { outgoing, incoming } = check;
      const masked = this.connections.createSecretMask(mailbox);
      return {
        outgoing: toCheckResult(outgoing, masked),
        incoming: toCheckResult(incoming, masked),
        sent: mail && outgoing.ok ? await mail.send(mailbox) : null,
      };
    });
  }

  /**
   * Logs in to both halves with the changed servers and passwords.
   * @returns the fields to store; null when the servers do not change
   * @throws VALIDATION_ERROR, MAILBOX_CHECK_FAILED
   */
  async verifyServers(record: MailboxRecord, input: UpdateMailboxRequest): Promise<VerifiedServers | null> {
    refuseIfAny(listMisplacedSettings(record, input));
    const servers = record.connectionType === 'smtp' ? toServersInput(record, input) : null;
    if (!servers) return null;
    refuseIfAny(listPortRefusals({ smtp: servers.smtp.port, imap: servers.imap.port }, this.config));
    refuseIfAny(listMissingPasswords(record, servers));
    const sent: SentLogin[] = [];
    const account = toChangedAccount(this.accounts.toAccount(record), servers, sent);
    const check = await this.sessions.once(account, verifyNow);
    const refusal = toCheckError(check, getSecrets(sent));
    if (refusal) throw refusal;
    return {
      ...toServerFields(servers),
      smtpCredentials: this.#toCredentials('smtp', record, servers.smtp),
      imapCredentials: this.#toCredentials('imap', record, servers.imap),
    };
  }

  async #findDue(workspaceId: string, mailboxId: string): Promise<MailboxRecord | null> {
    const _id = parseId(mailboxId);
    if (!_id) return null;
    const dueBy = this.clock.in(CLOCK_TOLERANCE_MS);
    // `$gt` excludes null, the value of a connected mailbox.
    const where = { _id, workspaceId, 'connection.nextCheckAt': { $gt: new Date(0), $lte: dueBy } };
    return this.mailboxes.findOne(where).lean<MailboxRecord>();
  }

  /** No login for a deleted workspace, which may be restored. */
  async #postpone({ _id, workspaceId, connection: { nextCheckAt } }: MailboxRecord): Promise<void> {
    await this.mailboxes.updateOne(
      { _id, workspaceId, 'connection.nextCheckAt': nextCheckAt },
      { $set: { 'connection.nextCheckAt': this.clock.in(DELETED_RETRY_MS) } },
    );
  }

  /**
   * Logs in to both halves. Returns the failure, or null. Only the connection counts: a permanent refusal is a failed attempt
   * like any other.
   * @throws the error of an unavailable database
   */
  async findFailure(mailbox: MailboxRecord, signal?: AbortSignal): Promise<HalfFailure | null> {
    try {
      const account = this.accounts.toAccount(mailbox);
      const failed = findFailure(await this.sessions.use(account, (session) => session.verify(signal)));
      return failed && { ...failed, failure: toConnectionFailure(failed.failure) };
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (error instanceof MailError) return { failure: toConnectionFailure(error), half: 'outgoing' };
      // A missing key or a bug: retried like any other failure. Its message stays in the log.
      this.log.error('A mailbox could not be checked', error, { mailboxId: mailbox._id.toHexString() });
      return { failure: ourFault, half: 'outgoing' };
    }
  }

  async #recordCheck(mailbox: MailboxRecord, check: MailCheck): Promise<void> {
    const { _id, workspaceId, credentialsRevision } = mailbox;
    const atWork = { workspaceId, mailboxId: _id, revision: credentialsRevision };
    const failed = findFailure(check);
    if (failed) await this.connections.recordFailure(atWork, failed.failure, failed.half);
    else await this.connections.recordSuccess(atWork, 'both');
  }

  #toCredentials(half: Half, record: MailboxRecord, { user, password }: ServerInput): ServerCredentials {
    const { workspaceId, _id } = record;
    if (password !== undefined) return this.accounts.sealServer(workspaceId, _id, half, { user, password });
    const known = record[`${half}Credentials`];
    if (!known) throw new Error(`Mailbox ${_id.toHexString()} has no ${half} credentials`);
    return this.accounts.resealServer(workspaceId, _id, half, { ...known, user });
  }
}

const ourFault: MailFailure = {
  failure: 'temporary',
  stage: 'login',
  message: 'The mailbox could not be checked because of an internal error',
  lastReply: null,
  retryAfterMs: null,
};

function toConnectionFailure(failed: MailFailure): MailFailure {
  const { failure, stage, message, lastReply, retryAfterMs } = failed;
  if (stage === 'busy') return failed;
  const isHumans = failure === 'needs-human';
  return { failure: isHumans ? failure : 'temporary', stage: 'login', message, lastReply, retryAfterMs };
}

/** The stored account with other servers. Stored passwords are opened only when the connection needs them. */
function toChangedAccount(stored: MailAccount, { smtp, imap }: ServersInput, sent: SentLogin[]): SmtpImapAccount {
  if (stored.kind !== 'smtp_imap') throw new Error(`Mailbox ${stored.id} has no SMTP and IMAP servers`);
  return {
    ...stored,
    revision: `${stored.revision} changed`,
    smtp: {
      host: smtp.host,
      port: smtp.port,
      secure: smtp.secure,
      login: toLoginSource(smtp, stored.smtp.login, sent),
    },
    imap: {
      host: imap.host,
      port: imap.port,
      secure: imap.secure,
      login: toLoginSource(imap, stored.imap.login, sent),
    },
  };
}

function toLoginSource({ user, password }: ServerInput, stored: LoginSource, sent: SentLogin[]): LoginSource {
  return async () => {
    const known = password === undefined ? await stored() : null;
    const secret = known?.method === 'password' ? known.password : (password ?? '');
    sent.push({ user, password: secret });
    return { method: 'password', user, password: secret };
  };
}

function refuseIfAny(details: readonly ErrorDetail[]): void {
  if (details.length > 0) throw validationFailed(details);
}
