import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerApi, type ApiRequest, type WebParts } from './api.mts';
import { readEmail } from './email.mts';
import { renderBody, errorPage, listPage, messagePage } from './pages.mts';
import { json, RequestError, type Reply } from './reply.mts';
import { STYLE } from './style.mts';

export interface WebServer {
  port: number;
  close(): Promise<void>;
}

const ON_A_PAGE = 200;
const LARGEST_BODY = 40_000_000;
const LARGEST_SOURCE = 500_000;

/** No page runs scripts, whatever content it shows. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A message in its frame: a separate origin, no active content, and inline images only, unless remote ones are allowed. */
const messagePolicy = (images: boolean): string =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src data:${images ? ' http: https:' : ''}; ` +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox";

const HTML = 'text/html; charset=utf-8';

/** The web view and the control API, on loopback. */
export async function startWeb(parts: WebParts, port: number): Promise<WebServer> {
  const server = createServer((request, response) => void serve(parts, request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

async function serve(parts: WebParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let reply: Reply;
  try {
    reply = await answer(parts, request);
  } catch (error) {
    const status = error instanceof RequestError ? error.status : 500;
    const text = (error as Error).message;
    const wantsPage = (request.headers.accept ?? '').includes('text/html');
    reply = wantsPage ? { status, type: HTML, body: errorPage(status, text) } : json({ error: text }, status);
  }
  response.writeHead(reply.status, {
    'content-type': reply.type ?? HTML,
    'content-security-policy': PAGE_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...reply.headers,
  });
  response.end(request.method === 'HEAD' ? undefined : reply.body);
}

async function answer(parts: WebParts, request: IncomingMessage): Promise<Reply> {
  assertLocal(request);
  const asked: ApiRequest = {
    method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
    url: new URL(request.url ?? '/', 'http://localhost'),
    bearer: /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1],
    body: () => readBody(request),
  };
  const reply = (await answerApi(parts, asked)) ?? (asked.method === 'GET' ? await show(parts, asked.url) : undefined);
  if (!reply) throw new RequestError(404, 'there is nothing at this address');
  return reply;
}

/** Another web site in the same browser must neither read nor control this server, by its own host name or by a form. */
function assertLocal({ headers, method }: IncomingMessage): void {
  const host = headers.host ?? '';
  if (!/^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host)) throw new RequestError(421, 'ask for localhost');
  const foreign = headers.origin !== undefined && headers.origin !== `http://${host}`;
  if (method !== 'GET' && method !== 'HEAD' && foreign) throw new RequestError(403, 'not from another site');
}

async function show({ store }: WebParts, url: URL): Promise<Reply | undefined> {
  const images = url.searchParams.get('images') === '1';
  if (url.pathname === '/') {
    const to = url.searchParams.get('to') ?? '';
    return { status: 200, body: listPage(store.find({ to, limit: ON_A_PAGE }), store.count, to) };
  }
  if (url.pathname === '/style.css') return { status: 200, type: 'text/css; charset=utf-8', body: STYLE };
  const [, id = '', view] = /^\/messages\/([A-F0-9]{16})(?:\/(html|raw))?$/.exec(url.pathname) ?? [];
  const message = store.get(id);
  const raw = message && (await store.raw(id));
  if (!message || !raw) return undefined;
  if (view === 'raw') return { status: 200, type: 'text/plain; charset=utf-8', body: raw };
  const email = await readEmail(raw);
  if (view === 'html') {
    return { status: 200, body: renderBody(email), headers: { 'content-security-policy': messagePolicy(images) } };
  }
  return { status: 200, body: messagePage(message, email, raw.subarray(0, LARGEST_SOURCE).toString(), images) };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new RequestError(413, 'the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
