import { type ErrorDetail } from '@platform/errors';
import { type CreateMailboxRequest, type UpdateMailboxRequest } from './dto/mailbox-requests.dto';
import { type DraftServer } from './mailbox-account.service';
import { type MailboxRecord } from './schemas/mailbox.record';

/** SMTP sends mail, IMAP reads it. */
const HALVES = ['smtp', 'imap'] as const;
export type Half = (typeof HALVES)[number];

const SETTINGS = ['Host', 'Port', 'Secure', 'Username', 'Password'] as const;

/** The requested settings of one half; without a password the stored one is kept. */
export interface ServerInput extends Omit<DraftServer, 'password'> {
  readonly password: string | undefined;
}

export type ServersInput = Readonly<Record<Half, ServerInput>>;

/** The servers of a new mailbox. The login of the outgoing server is the default of the incoming one. */
export function toNewServers(input: CreateMailboxRequest): Record<Half, DraftServer> {
  const user = input.smtpUsername ?? input.email;
  const { smtpPassword, imapPassword = smtpPassword, imapUsername = user } = input;
  return {
    smtp: { host: input.smtpHost, port: input.smtpPort, secure: input.smtpSecure, user, password: smtpPassword },
    imap: {
      host: input.imapHost,
      port: input.imapPort,
      secure: input.imapSecure,
      user: imapUsername,
      password: imapPassword,
    },
  };
}

/** Server settings that were given for a mailbox without its own servers. */
export function listMisplacedSettings({ connectionType }: MailboxRecord, input: UpdateMailboxRequest): ErrorDetail[] {
  if (connectionType === 'smtp') return [];
  return HALVES.flatMap((half) => SETTINGS.map((setting) => `${half}${setting}` as const))
    .filter((field) => input[field] !== undefined)
    .map((field) => ({ field, message: `${field} is only for mailboxes with their own servers` }));
}

/** The servers with the requested changes; null without a change. */
export function toServersInput(record: MailboxRecord, input: UpdateMailboxRequest): ServersInput | null {
  const requested = { smtp: toServerInput('smtp', record, input), imap: toServerInput('imap', record, input) };
  return HALVES.some((half) => isChanged(half, record, requested[half])) ? requested : null;
}

/**
 * Passwords that must be given again. A stored password is sent only to the server it was given for: otherwise anyone
 * who may change the mailbox could read it.
 */
export function listMissingPasswords(record: MailboxRecord, requested: ServersInput): ErrorDetail[] {
  return HALVES.filter(
    (half) => requested[half].password === undefined && isElsewhere(half, record, requested[half]),
  ).map((half) => ({
    field: `${half}Password`,
    message: `${half}Password must be given together with another ${half}Host or ${half}Port`,
  }));
}

/** The server fields of the record. */
export function toServerFields({ smtp, imap }: Record<Half, Pick<DraftServer, 'host' | 'port' | 'secure'>>) {
  return {
    smtpHost: smtp.host,
    smtpPort: smtp.port,
    smtpSecure: smtp.secure,
    imapHost: imap.host,
    imapPort: imap.port,
    imapSecure: imap.secure,
  };
}

function toServerInput(half: Half, record: MailboxRecord, input: UpdateMailboxRequest): ServerInput {
  return {
    host: input[`${half}Host`] ?? record[`${half}Host`] ?? '',
    port: input[`${half}Port`] ?? record[`${half}Port`] ?? 0,
    secure: input[`${half}Secure`] ?? record[`${half}Secure`] ?? true,
    user: input[`${half}Username`] ?? record[`${half}Credentials`]?.user ?? '',
    password: input[`${half}Password`],
  };
}

function isChanged(half: Half, record: MailboxRecord, requested: ServerInput): boolean {
  return (
    requested.password !== undefined ||
    isElsewhere(half, record, requested) ||
    requested.secure !== record[`${half}Secure`] ||
    requested.user !== record[`${half}Credentials`]?.user
  );
}

function isElsewhere(half: Half, record: MailboxRecord, { host, port }: ServerInput): boolean {
  return host !== record[`${half}Host`] || port !== record[`${half}Port`];
}
