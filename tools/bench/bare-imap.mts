/**
 * The denominator of the mailbox benchmark: a process that logs in to COUNT mailboxes with imapflow, opens the inbox of each
 * and waits in IDLE, without other work. It uses the defaults of imapflow or, with LEAN, the two settings
 * of the platform that save memory: one TLS context for all connections, and no compression.
 */
import { createServer } from 'node:http';
import { createSecureContext } from 'node:tls';
import { ImapFlow } from 'imapflow';
import pLimit from 'p-limit';

const { PORT = '0', IMAP_PORT = '0', PASSWORD = '', COUNT = '0', DOMAIN = '', LEAN } = process.env;
const clients: ImapFlow[] = [];
const lean = LEAN ? { disableCompression: true, tls: { secureContext: createSecureContext() } } : {};

async function openInbox(user: string): Promise<void> {
  const server = { host: 'localhost', port: Number(IMAP_PORT), secure: true };
  const client = new ImapFlow({ ...server, ...lean, auth: { user, pass: PASSWORD }, logger: false });
  await client.connect();
  await client.mailboxOpen('INBOX', { readOnly: true });
  clients.push(client);
  void client.idle();
}

createServer((_request, response) => {
  response.end(JSON.stringify({ idling: clients.filter(({ idling }) => idling).length }));
}).listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));

const limit = pLimit(16);
await Promise.all(Array.from({ length: Number(COUNT) }, (_, n) => limit(() => openInbox(`m${n}@${DOMAIN}`))));
