/**
 * Sends messages over two connections, the number that the platform opens for a mailbox: with WITH=platform through a session of
 * the built SMTP driver, else with nodemailer's pool. GET /send?count=N sends N and returns the time in milliseconds
 * and the CPU time.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createTransport } from 'nodemailer';
import pLimit from 'p-limit';
import { loadBuilt } from './built.mts';

interface Message {
  envelope: { from: string; to: string };
  messageId: string;
  raw: Buffer;
}

interface BuiltMail {
  OutboundAddressService: new (options: { allowPrivate: boolean }) => object;
  SmtpImapDriver: new (options: object) => { open(account: object): Session };
  composeMessage: (input: object) => Promise<Message>;
}

interface Session {
  send(message: Message, options: { beforeHandover: () => Promise<boolean> }): Promise<{ kind: string }>;
}

const { PORT = '0', SMTP_PORT = '0', PASSWORD = '', WITH } = process.env;
const CONNECTIONS = 2;
/** Concurrent messages: enough to keep both connections busy. */
const AT_ONCE = 16;
const HOST = 'localhost';
const SENDER = 'sender@bench.test';
const { OutboundAddressService, SmtpImapDriver, composeMessage } = loadBuilt<BuiltMail>(
  'OutboundAddressService',
  'SmtpImapDriver',
  'composeMessage',
);

function platform(): (message: Message) => Promise<void> {
  const guard = new OutboundAddressService({ allowPrivate: true });
  const driver = new SmtpImapDriver({ guard, ehloName: 'bench.test', allowPlaintext: false });
  const login = () => Promise.resolve({ method: 'password', user: SENDER, password: PASSWORD });
  const server = { host: HOST, port: Number(SMTP_PORT), secure: true, login };
  const account = { kind: 'smtp_imap', id: SENDER, revision: '0', email: SENDER, smtp: server, imap: server };
  const session = driver.open(account);
  return async (message) => {
    const outcome = await session.send(message, { beforeHandover: () => Promise.resolve(true) });
    if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
  };
}

function bare(): (message: Message) => Promise<void> {
  const server = { host: HOST, port: Number(SMTP_PORT), secure: true, auth: { user: SENDER, pass: PASSWORD } };
  const transport = createTransport({ ...server, pool: true, maxConnections: CONNECTIONS, name: 'bench.test' });
  return async ({ envelope, raw }) => void (await transport.sendMail({ envelope, raw }));
}

/** Both sides send the same bytes; composing them is not measured. */
function composed(): Promise<Message> {
  return composeMessage({
    from: { name: 'Ada Lovelace', address: SENDER },
    to: { name: 'Grace Hopper', address: 'grace@elsewhere.test' },
    subject: 'A question about your compiler',
    text: 'A line that a person wrote by hand and with care.\r\n'.repeat(20),
    html: '<p>A line that a person wrote by hand and with care.</p>\r\n'.repeat(20),
    messageId: `<${randomUUID()}@bench.test>`,
    date: new Date(),
  });
}

const send = WITH === 'platform' ? platform() : bare();

async function sendMany(count: number): Promise<{ ms: number; cpuMs: number }> {
  const messages = await Promise.all(Array.from({ length: count }, composed));
  const limit = pLimit(AT_ONCE);
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  await Promise.all(messages.map((message) => limit(() => send(message))));
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - started, cpuMs: (user + system) / 1_000 };
}

createServer((request, response) => {
  const count = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('count') ?? 0);
  sendMany(count).then(
    (took) => response.end(JSON.stringify(took)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
