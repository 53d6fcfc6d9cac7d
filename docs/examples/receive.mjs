// A receiver of webhooks that believes only what is signed: SECRET=whsec_… HOOK_PORT=4100 node docs/examples/receive.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const WINDOW_S = 300; // how old or how far ahead a message may be
const LARGEST = 1_000_000; // bytes
const key = Buffer.from((process.env.SECRET ?? '').replace(/^whsec_/, ''), 'base64');
if (key.length < 24) throw new Error('SECRET must be the secret of the webhook (whsec_…)');
const seen = new Set(); // in production a unique index of your database

function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(at)) <= WINDOW_S)) return false; // also when it is no number
  const expected = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest();
  // Several while a secret is being replaced; one that fits is enough.
  return given.split(' ').some((one) => {
    const [version, signature = ''] = one.split(',');
    const bytes = Buffer.from(signature, 'base64');
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

async function bytesOf(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LARGEST) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks); // the bytes as received: the signature does not match JSON that was parsed and serialized again
}

async function take(request, response) {
  const body = await bytesOf(request);
  if (body === null || !isSigned(request.headers, body)) {
    console.log('refused');
    response.writeHead(401).end();
    return;
  }
  const { id, type, data } = JSON.parse(body.toString());
  const isNew = !seen.has(id);
  seen.add(id); // kept first, then answered, then worked on
  response.writeHead(204).end();
  if (isNew) console.log(`${type} ${data.email ?? ''}`);
}

const server = createServer((request, response) => void take(request, response));
server.listen(Number(process.env.HOOK_PORT ?? 4100), '127.0.0.1', () => console.log('listening'));
