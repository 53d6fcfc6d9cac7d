import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ImapFlow } from 'imapflow';
import { OutboundAddressService } from '@platform/outbound';
import { mailSandbox } from '@testing';
import { type LoginSource, type SmtpImapAccount } from '../../port/account';
import { ImapLogin } from '../imap-login';
import { ImapMailbox } from '../imap-mailbox';
import { type ImapOptions } from '../imap-options';

/** The token that the sandbox accepts for any user. */
export const TOKEN = 'secret-token';

/** An unused address. */
export function newAddress(): string {
  return `grace.${randomBytes(8).toString('hex')}@sandbox.test`;
}

function imapOptions(options: Partial<ImapOptions> = {}): ImapOptions {
  return {
    guard: new OutboundAddressService({ allowPrivate: true }),
    ca: readFileSync(mailSandbox().caFile, 'utf8'),
    ...options,
  };
}

export function getPassword(user: string, password: string): LoginSource {
  return () => Promise.resolve({ method: 'password', user, password });
}

/** The IMAP half of a mailbox in the sandbox. */
export function sandboxMailbox(
  user: string,
  server: Partial<SmtpImapAccount['imap']> = {},
  options: Partial<ImapOptions> = {},
): ImapMailbox {
  const { imap, password } = mailSandbox();
  const all = imapOptions(options);
  const settings = {
    host: 'localhost',
    port: imap.tlsPort,
    secure: true,
    login: getPassword(user, password),
    ...server,
  };
  return new ImapMailbox(new ImapLogin(all), settings, all);
}

/** Stores a message in a mailbox unchanged. */
export async function deliver(to: string, raw: Buffer, folder = 'INBOX'): Promise<void> {
  const query = new URLSearchParams({ to, folder });
  await call(`/api/deliver?${query.toString()}`, raw);
}

export async function deliverMany(to: string, count: number): Promise<void> {
  await call(`/api/deliver-many?${new URLSearchParams({ to, count: String(count) }).toString()}`);
}

/** Resets the UIDs of a folder, which no session may have open. */
export async function renewUidValidity(address: string, folder = 'INBOX'): Promise<void> {
  await call(`/api/mailboxes/${encodeURIComponent(address)}/uidvalidity?${new URLSearchParams({ folder }).toString()}`);
}

async function call(path: string, body?: Buffer): Promise<void> {
  const answer = await fetch(new URL(path, mailSandbox().webUrl), {
    method: 'POST',
    ...(body ? { body: new Uint8Array(body) } : {}),
  });
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}: ${await answer.text()}`);
}

/** Another program of the mailbox's owner, with its own connection. */
export async function asOwner<T>(user: string, work: (client: ImapFlow) => Promise<T>): Promise<T> {
  const { imap, password } = mailSandbox();
  const client = new ImapFlow({
    host: imap.host,
    port: imap.port,
    secure: false,
    doSTARTTLS: false,
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.logout();
  }
}

/** Changes the message with this Message-ID in any folder. */
export async function withMessage(
  user: string,
  messageId: string,
  work: (client: ImapFlow, uid: string) => Promise<unknown>,
): Promise<void> {
  await asOwner(user, async (client) => {
    for (const { path } of await client.list()) {
      await client.mailboxOpen(path);
      const found = await client.search({ header: { 'message-id': messageId } }, { uid: true });
      if (!found || found.length === 0) continue;
      await work(client, found.join(','));
      return;
    }
    throw new Error(`${user} has no message ${messageId}`);
  });
}
