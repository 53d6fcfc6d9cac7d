/**
 * The mail sink of the SMTP and the sending benchmarks: a server in a separate process that accepts every message and stores only
 * its Message-ID. With DELAY_MIN_MS and DELAY_MAX_MS it delays each answer, with TEMPORARY it first
 * rejects that share with a 4xx. HTTP on PORT returns the accepted messages, SMTP over TLS is on SMTP_PORT.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

const {
  PORT = '0',
  SMTP_PORT = '0',
  PASSWORD = '',
  DELAY_MIN_MS = '0',
  DELAY_MAX_MS = '0',
  TEMPORARY = '0',
} = process.env;
const [least, most] = [Number(DELAY_MIN_MS), Number(DELAY_MAX_MS)];
const tls = (kind: string): Buffer => readFileSync(join(import.meta.dirname, '../mail-sandbox/tls', `server.${kind}`));
const taken: string[] = [];

async function take(stream: AsyncIterable<Buffer>): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const messageId = /^message-id: *(\S+)/im.exec(Buffer.concat(chunks).toString('latin1'))?.[1];
  if (most > 0) await pause(least + Math.random() * (most - least));
  if (Math.random() < Number(TEMPORARY)) throw Object.assign(new Error('4.3.0 Try again later'), { responseCode: 451 });
  taken.push(messageId ?? 'none');
}

const server = new SMTPServer({
  key: tls('key'),
  cert: tls('crt'),
  secure: true,
  disableReverseLookup: true,
  logger: false,
  onAuth: ({ username, password }, _session, done) => {
    if (password === PASSWORD && username) done(null, { user: username });
    else done(new Error('Wrong password'));
  },
  onData: (stream, _session, done) => {
    void take(stream).then(
      () => done(),
      (error: Error) => done(error),
    );
  },
});
server.on('error', () => undefined);
server.listen(Number(SMTP_PORT), '127.0.0.1');

createServer((_request, response) => {
  response.end(JSON.stringify({ taken: taken.length, different: new Set(taken).size }));
}).listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
