import { systemScope } from '@domain/access';
import { MailboxAccountService, MailboxCreationService } from '@domain/mailboxes';
import { mailSandbox } from '@testing';
import { Types } from 'mongoose';
import { type Platform, type SeededWorkspace } from '../harness';
import { dataOf } from '../workspaces/people';

export interface Mailbox {
  _id: string;
  email: string;
  status: string;
  sentToday: number;
  totalSent: number;
  [field: string]: unknown;
}

let serial = 0;

/** A new address of the sandbox. */
export function newAddress(localPart = 'sender'): string {
  serial += 1;
  return `${localPart}.${process.pid}.${Date.now().toString(36)}.${serial}@senders.test`;
}

/** A request that the sandbox authorises. */
export function connecting(more: object = {}): Record<string, unknown> {
  const { smtp, imap, password } = mailSandbox();
  return {
    email: newAddress(),
    smtpHost: smtp.host,
    smtpPort: smtp.tlsPort,
    smtpSecure: true,
    smtpPassword: password,
    imapHost: imap.host,
    imapPort: imap.tlsPort,
    imapSecure: true,
    ...more,
  };
}

/** A mailbox of the sandbox, connected through the API. */
export async function connected(
  platform: Platform,
  { key }: Pick<SeededWorkspace, 'key'>,
  more: object = {},
): Promise<Mailbox> {
  return dataOf<Mailbox>(await platform.api.as(key).post('/v1/mailboxes').send(connecting(more)));
}

/** A mailbox of the sandbox, stored without a login: for tests that do not concern its connection. */
export async function seededMailbox(
  { app }: Platform,
  workspaceId: string,
  password = mailSandbox().password,
  email = newAddress(),
): Promise<{ _id: string; email: string }> {
  const { smtp, imap } = mailSandbox();
  const accounts = app.get(MailboxAccountService, { strict: false });
  const _id = new Types.ObjectId();
  const login = { user: email, password };
  await app.get(MailboxCreationService, { strict: false }).insert(systemScope(workspaceId), {
    _id,
    email,
    provider: 'custom',
    connectionType: 'smtp',
    smtpHost: smtp.host,
    smtpPort: smtp.tlsPort,
    smtpSecure: true,
    imapHost: imap.host,
    imapPort: imap.tlsPort,
    imapSecure: true,
    smtpCredentials: accounts.sealServer(workspaceId, _id, 'smtp', login),
    imapCredentials: accounts.sealServer(workspaceId, _id, 'imap', login),
  });
  return { _id: _id.toHexString(), email };
}
