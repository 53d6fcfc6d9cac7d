import { type LoginSource, type MailAccount, MailSessionPool, type SmtpImapAccount } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { Config } from '@platform/config';
import { type ErrorDetail, validationFailed } from '@platform/errors';
import { type UpdateMailboxRequest } from './dto/mailbox-requests.dto';
import { MailboxAccountService } from './mailbox-account.service';
import { toCheckError, getSecrets, verifyNow } from './mailbox-check';
import { listPortRefusals } from './mailbox-ports';
import {
  type Half,
  listMisplacedSettings,
  listMissingPasswords,
  toServerFields,
  type ServerInput,
  type ServersInput,
  toServersInput,
} from './mailbox-servers';
import { type MailboxRecord, type ServerCredentials } from './schemas/mailbox.record';

/** Where the servers of a mailbox are and how it logs in, as it is stored. */
export type VerifiedServers = ReturnType<typeof toServerFields> & {
  smtpCredentials: ServerCredentials;
  imapCredentials: ServerCredentials;
};

interface SentLogin {
  user: string;
  password: string;
}

/** Tries servers and passwords before they are stored. */
@Injectable()
export class ServerProofService {
  constructor(
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly config: Config,
  ) {}

  /**
   * Logs in to both halves as they are about to be.
   * @returns what is to be stored; null when the servers stay as they are
   * @throws VALIDATION_ERROR, MAILBOX_CHECK_FAILED
   */
  async verifyServers(record: MailboxRecord, input: UpdateMailboxRequest): Promise<VerifiedServers | null> {
    refuseIfAny(listMisplacedSettings(record, input));
    const wanted = record.connectionType === 'smtp' ? toServersInput(record, input) : null;
    if (!wanted) return null;
    refuseIfAny(listPortRefusals({ smtp: wanted.smtp.port, imap: wanted.imap.port }, this.config));
    refuseIfAny(listMissingPasswords(record, wanted));
    const sent: SentLogin[] = [];
    const account = toAccount(this.accounts.toAccount(record), wanted, sent);
    const check = await this.sessions.once(account, verifyNow);
    const refusal = toCheckError(check, getSecrets(sent));
    if (refusal) throw refusal;
    return {
      ...toServerFields(wanted),
      smtpCredentials: this.#toCredentials('smtp', record, wanted.smtp),
      imapCredentials: this.#toCredentials('imap', record, wanted.imap),
    };
  }

  #toCredentials(half: Half, record: MailboxRecord, { user, password }: ServerInput): ServerCredentials {
    const { workspaceId, _id } = record;
    if (password !== undefined) return this.accounts.sealServer(workspaceId, _id, half, { user, password });
    const known = record[`${half}Credentials`];
    if (!known) throw new Error(`Mailbox ${_id.toHexString()} has no ${half} credentials`);
    return this.accounts.resealServer(workspaceId, _id, half, { ...known, user });
  }
}

/** The stored account with other servers; passwords that are not given are opened where the connection is. */
function toAccount(stored: MailAccount, { smtp, imap }: ServersInput, sent: SentLogin[]): SmtpImapAccount {
  if (stored.kind !== 'smtp_imap') throw new Error(`Mailbox ${stored.id} has no servers of its own`);
  return {
    ...stored,
    revision: `${stored.revision} changed`,
    smtp: { host: smtp.host, port: smtp.port, secure: smtp.secure, login: toLoginSource(smtp, stored.smtp.login, sent) },
    imap: { host: imap.host, port: imap.port, secure: imap.secure, login: toLoginSource(imap, stored.imap.login, sent) },
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
