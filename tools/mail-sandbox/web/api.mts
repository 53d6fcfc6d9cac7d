import type { MessageStore } from '../store.mts';
import type { Maildirs } from '../maildir.mts';
import { MailboxNameError } from '../maildir.mts';
import { toSummary } from '../headers.mts';
import type { PlacementPolicies } from '../placement-policies.mts';
import { TOKEN } from '../smtp-auth.mts';
import { readEmail } from './email.mts';
import { answerPlacement } from './placement-api.mts';
import { json, RequestError, type Reply } from './reply.mts';

export interface WebParts {
  store: MessageStore;
  maildirs: Maildirs;
  placements: PlacementPolicies;
  /** Number of prospects with open actions. */
  pending?: () => number;
}

export interface ApiRequest {
  method: string;
  url: URL;
  bearer: string | undefined;
  body: () => Promise<Buffer>;
}

const DEFAULT_LIMIT = 100;
const LARGEST_LIMIT = 10_000;
const MOST_GENERATED = 200_000;
const LARGEST_GENERATED = 100_000;

/** The control API. Returns undefined for an unknown path. */
export async function answerApi(parts: WebParts, asked: ApiRequest): Promise<Reply | undefined> {
  const { method, url } = asked;
  const [, area, name, argument, action] = url.pathname.split('/');
  const route = `${method} ${area}/${name ?? ''}`;
  try {
    if (route === 'GET health/')
      return json({ status: 'ok', messages: parts.store.count, prospectsPending: parts.pending?.() ?? 0 });
    if (route === 'GET oauth/introspect') return introspection(asked.bearer);
    if (route === 'GET api/messages')
      return argument ? await one(parts, argument, action) : list(parts, url.searchParams);
    if (route === 'POST api/deliver') return await deliver(parts, asked);
    if (route === 'POST api/deliver-many') return await deliverMany(parts, url.searchParams);
    if (!argument || (name !== 'mailboxes' && name !== 'senders')) return undefined;
    const address = decodeURIComponent(argument);
    if (action === 'placement') return await answerPlacement(parts, method, [name, address], asked.body);
    if (name !== 'mailboxes') return undefined;
    if (method === 'DELETE' && !action) return json({ deleted: await removeMailbox(parts, address) });
    if (method !== 'POST' || action !== 'uidvalidity') return undefined;
    await parts.maildirs.renewUidValidity(address, url.searchParams.get('folder') ?? 'INBOX');
    return json({ renewed: true });
  } catch (error) {
    if (error instanceof MailboxNameError || error instanceof URIError) throw new RequestError(400, error.message);
    throw error;
  }
}

/** Deletes a mailbox with its mail and its placement policy. */
function removeMailbox({ maildirs, placements }: WebParts, address: string): Promise<boolean> {
  placements.remove('mailboxes', address);
  return maildirs.remove(address);
}

/** RFC 7662, called by Dovecot. Dovecot requires a user name in the response but trusts the client's. */
function introspection(bearer: string | undefined): Reply {
  return json({ active: bearer === TOKEN, username: 'anyone' });
}

function list({ store }: WebParts, query: URLSearchParams): Reply {
  const filter = Object.fromEntries(
    ['to', 'from', 'messageId'].flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  ) as { to?: string; from?: string; messageId?: string };
  const limit = number(query, 'limit', DEFAULT_LIMIT, LARGEST_LIMIT);
  return json({ messages: store.find({ ...filter, limit }) });
}

async function one({ store }: WebParts, id: string, view: string | undefined): Promise<Reply> {
  const message = store.get(id);
  const found = message && (await store.raw(id));
  if (!message || !found || (view !== undefined && view !== 'raw')) {
    throw new RequestError(404, 'there is no such message');
  }
  if (view === 'raw') return { status: 200, type: 'message/rfc822', body: found };
  const { text, html, headers, attachments } = await readEmail(found);
  return json({
    ...message,
    text: text ?? null,
    html: html ?? null,
    headers: headers.map(({ key, value }) => ({ name: key, value })),
    attachments: attachments.map(({ filename, mimeType }) => ({ filename, mimeType })),
  });
}

async function deliver({ store, maildirs }: WebParts, { url, body }: ApiRequest): Promise<Reply> {
  const to = required(url.searchParams, 'to').toLowerCase();
  const message = await body();
  if (message.length === 0) throw new RequestError(400, 'the body must be a MIME message');
  const id = store.newId();
  await store.write(id, message);
  try {
    const file = await maildirs.deliver(to, store.file(id), url.searchParams.get('folder') ?? 'INBOX');
    store.add({
      id,
      origin: 'api',
      time: new Date().toISOString(),
      to: [to],
      ...toSummary(message),
      size: message.length,
    });
    return json({ id, file }, 201);
  } catch (error) {
    await store.discard(id);
    throw error;
  }
}

/** Simple messages, not listed in the web view: `count` of them would displace all others. */
async function deliverMany({ maildirs }: WebParts, query: URLSearchParams): Promise<Reply> {
  const to = required(query, 'to').toLowerCase();
  const folder = query.get('folder') ?? 'INBOX';
  const count = number(query, 'count', 1, MOST_GENERATED);
  const bytes = number(query, 'bytes', 600, LARGEST_GENERATED);
  const run = Date.now().toString(36);
  const filler = `${'Nothing to see here, just text. '.repeat(2).trim()}\r\n`.repeat(Math.ceil(bytes / 66));
  await maildirs.deliverMany(to, folder, count, (n) =>
    [
      `From: Generated ${n} <generated.${n}@generated.test>`,
      `To: ${to.replace(/[\r\n]/g, '')}`,
      `Subject: Generated message ${n}`,
      `Message-ID: <${run}.${n}@generated.test>`,
      `Date: ${new Date(Date.now() - (count - n) * 1000).toUTCString().replace('GMT', '+0000')}`,
      '',
      filler.slice(0, bytes),
    ].join('\r\n'),
  );
  return json({ delivered: count, messageIdPattern: `<${run}.N@generated.test>` }, 201);
}

function required(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (!value) throw new RequestError(400, `the query must name "${name}"`);
  return value;
}

function number(query: URLSearchParams, name: string, fallback: number, most: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) throw new RequestError(400, `"${name}" must be a positive number`);
  return Math.min(Number(text), most);
}
