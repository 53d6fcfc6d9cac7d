import { type ComposedMessage } from '../../port/send';
import { type MailSession } from '../../port/session';
import { GmailDriver, type GmailDriverOptions } from '../gmail.driver';
import { type GmailMailbox } from './gmail-mailbox';
import { type GmailServer, type GmailServerOptions, startGmailServer } from './gmail-server';

/** A mailbox on the local server and a session on it, for the driver's own specs. */
export interface GmailFixture {
  readonly server: GmailServer;
  readonly mailbox: GmailMailbox;
  readonly session: MailSession;
  /** Tokens that the driver reported as refused, in order. */
  readonly refused: string[];
  /** Milliseconds that the driver would have waited, in order. */
  readonly waits: number[];
  /** Another session on the same mailbox, as after a restart of the process. */
  reopen(): MailSession;
  close(): Promise<void>;
}

export const ADDRESS = 'ada@sender.example';
/** The first token of the account; valid until a test removes it from the mailbox's set. */
export const TOKEN = 'ya29.first';
/** The token after the first one was refused. */
export const NEXT_TOKEN = 'ya29.second';

export async function openGmailFixture(
  options: GmailServerOptions & Partial<GmailDriverOptions> = {},
): Promise<GmailFixture> {
  const server = await startGmailServer(options);
  const mailbox = server.mailbox(ADDRESS, [TOKEN]);
  const [refused, waits]: [string[], number[]] = [[], []];
  const wait = async (ms: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    waits.push(Math.round(ms));
  };
  const driver = new GmailDriver({ wait, ...options, apiUrl: server.url });
  const token = async (of?: string): Promise<string> => {
    if (of !== undefined) refused.push(of);
    return of === TOKEN ? NEXT_TOKEN : TOKEN;
  };
  const reopen = (): MailSession =>
    driver.open({ kind: 'gmail', id: 'mailbox-1', revision: '1', email: ADDRESS, token });
  const session = reopen();
  const close = async (): Promise<void> => {
    await session.close();
    await driver.close();
    await server.close();
  };
  return { server, mailbox, session, refused, waits, reopen, close };
}

let count = 0;

/** A small incoming message. */
export function mail(headers: Readonly<Record<string, string>> = {}, body = 'Hello.'): Buffer {
  const all = {
    From: 'Grace <grace@there.example>',
    To: `Ada <${ADDRESS}>`,
    Subject: 'Hello',
    'Message-ID': `<in-${++count}@there.example>`,
    Date: 'Sat, 21 Nov 2026 09:00:00 +0000',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([...lines, '', body, ''].join('\r\n'));
}

/** A finished message, as submitted by the sender. */
export function outgoing({ body = 'Hello.', to = 'grace@there.example' } = {}): ComposedMessage {
  const messageId = `<out-${++count}@sender.example>`;
  const raw = mail({ From: ADDRESS, To: to, 'Message-ID': messageId }, body);
  return { envelope: { from: ADDRESS, to }, messageId, raw };
}
