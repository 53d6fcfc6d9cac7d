import { Injectable } from '@nestjs/common';
import { type LoginSource, type MailAccount, MailError, type ServerSettings } from '@adapters/mail';
import { SecretBoxService } from '@platform/secrets';
import { type Types } from 'mongoose';
import { getMailboxSecretOwner } from './mailbox-secrets';
import { MailboxTokenService } from './oauth/mailbox-token.service';
import { type MailboxRecord, type ServerCredentials } from './schemas/mailbox.record';

type Server = 'smtp' | 'imap';

/** The fields from which an account is built. */
export type AccountFields = Pick<
  MailboxRecord,
  | '_id'
  | 'workspaceId'
  | 'email'
  | 'provider'
  | 'credentialsRevision'
  | 'smtpHost'
  | 'smtpPort'
  | 'smtpSecure'
  | 'imapHost'
  | 'imapPort'
  | 'imapSecure'
  | 'smtpCredentials'
  | 'imapCredentials'
>;

/** A server and a plain password that are verified before they are stored. */
export interface DraftServer extends ServerSettings {
  readonly user: string;
  readonly password: string;
}

export interface AccountDraft {
  /** The future id of the mailbox. */
  readonly id: string;
  readonly email: string;
  readonly smtp: DraftServer;
  readonly imap: DraftServer;
}

/** Converts stored mailboxes to the accounts of the mail drivers; secrets stay sealed until a connection needs them. */
@Injectable()
export class MailboxAccountService {
  constructor(
    private readonly box: SecretBoxService,
    private readonly tokens: MailboxTokenService,
  ) {}

  /**
   * Returns the account of a mailbox. Opens no secret: one that cannot be opened fails when it is used, with
   * SECRET_UNREADABLE.
   */
  toAccount(mailbox: AccountFields): MailAccount {
    const account = {
      id: String(mailbox._id),
      revision: String(mailbox.credentialsRevision),
      email: mailbox.email,
    };
    if (mailbox.provider === 'custom') {
      const smtp = this.#server(mailbox, 'smtp', mailbox.smtpCredentials);
      const imap = this.#server(mailbox, 'imap', mailbox.imapCredentials);
      return { ...account, kind: 'smtp_imap', smtp, imap };
    }
    const owner = { workspaceId: mailbox.workspaceId, mailboxId: mailbox._id };
    const token = (refused?: string): Promise<string> => this.tokens.getToken(owner, refused);
    return { ...account, kind: mailbox.provider === 'google' ? 'gmail' : 'graph', token };
  }

  /** An account with credentials that are not stored yet, to be verified with `MailSessionPool.once`. */
  toDraftAccount({ id, email, smtp, imap }: AccountDraft): MailAccount {
    const server = ({ host, port, secure, user, password }: DraftServer): ServerSettings & { login: LoginSource } => ({
      host,
      port,
      secure,
      login: () => Promise.resolve({ method: 'password', user, password }),
    });
    return { kind: 'smtp_imap', id, revision: 'draft', email, smtp: server(smtp), imap: server(imap) };
  }

  /** An account with a token that is not stored yet. If the vendor rejects it, there is no other. */
  toDraftTokenAccount(
    provider: 'google' | 'microsoft',
    { id, email, accessToken }: { id: string; email: string; accessToken: string },
  ): MailAccount {
    const token = (refused?: string): Promise<string> =>
      refused === accessToken ? Promise.reject(tokenRefused()) : Promise.resolve(accessToken);
    return { kind: provider === 'google' ? 'gmail' : 'graph', id, revision: 'draft', email, token };
  }

  /** Seals the credentials of a custom mailbox. */
  sealServer(
    workspaceId: Types.ObjectId | string,
    mailboxId: Types.ObjectId | string,
    server: Server,
    { user, password }: { user: string; password: string },
  ): ServerCredentials {
    return { user, password: this.box.seal(password, getMailboxSecretOwner(workspaceId, mailboxId, server)) };
  }

  /**
   * Seals stored credentials again. They were read before a login of unknown duration: a key that was rotated out
   * meanwhile must not return.
   */
  resealServer(
    workspaceId: Types.ObjectId,
    mailboxId: Types.ObjectId,
    server: Server,
    { user, password }: ServerCredentials,
  ): ServerCredentials {
    return { user, password: this.box.reseal(password, getMailboxSecretOwner(workspaceId, mailboxId, server)) };
  }

  #server(
    mailbox: AccountFields,
    server: Server,
    credentials: ServerCredentials | null,
  ): ServerSettings & { login: LoginSource } {
    const settings = {
      host: mailbox[`${server}Host`],
      port: mailbox[`${server}Port`],
      secure: mailbox[`${server}Secure`],
    };
    const { host, port, secure } = settings;
    if (host === null || port === null || secure === null || credentials === null) {
      throw new Error(`Mailbox ${String(mailbox._id)} has no ${server} server`);
    }
    const owner = getMailboxSecretOwner(mailbox.workspaceId, mailbox._id, server);
    const login: LoginSource = async () => ({
      method: 'password',
      user: credentials.user,
      password: this.box.open(credentials.password, owner),
    });
    return { host, port, secure, login };
  }
}

function tokenRefused(): MailError {
  return new MailError({
    failure: 'needs-human',
    stage: 'login',
    message: 'The vendor refuses the token that it has just issued',
  });
}
