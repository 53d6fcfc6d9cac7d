import { badRequest, errorReply, GraphRefusal, type GraphReply, itemNotFound, throttled } from './graph-answers';
import { answerDelta } from './graph-delta';
import { type GraphFate, type GraphMailbox, type StoredFolder, type StoredMessage } from './graph-mailbox';
import { getFilter, ordered, shownMessage, getShown } from './graph-query';

/** A request to a mailbox. */
export interface Asked {
  readonly mailbox: GraphMailbox;
  /** The API's URL, for links. */
  readonly api: string;
  readonly query: URLSearchParams;
  readonly prefer: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** The variable parts of the path. */
  readonly ids: readonly string[];
}

/** `reset` breaks the connection instead of a response. */
export type Outcome = GraphReply | 'reset';
type Handler = (asked: Asked) => Outcome | Promise<Outcome>;

const FOLDER = String.raw`/me/mailfolders(?:/|\(')([^/'?]+)(?:'\))?`;
const MESSAGE = '/me/messages/([^/?]+)';

/** Maximum size of a request to Graph. */
const MAX_BODY = 4 * 1024 * 1024;

const ROUTES: readonly (readonly [string, string, Handler])[] = [
  ['GET', '/me', me],
  ['GET', '/me/mailfolders', (asked) => listFolders(asked, null)],
  ['POST', '/me/mailfolders', createFolder],
  ['GET', FOLDER, ({ mailbox, ids }) => ({ status: 200, body: shownFolder(mailbox, mailbox.folder(ids[0] ?? '')) })],
  ['GET', `${FOLDER}/childfolders`, (asked) => listFolders(asked, asked.mailbox.folder(asked.ids[0] ?? '').id)],
  ['GET', `${FOLDER}/messages`, listMessages],
  ['POST', `${FOLDER}/messages`, (asked) => create(asked, asked.ids[0] ?? '')],
  ['GET', String.raw`${FOLDER}/messages/delta(?:\(\))?`, delta],
  ['POST', '/me/messages', (asked) => create(asked, 'drafts')],
  ['GET', MESSAGE, ({ query, ...asked }) => ({ status: 200, body: shownMessage(message(asked), getShown(query)) })],
  ['PATCH', MESSAGE, patch],
  ['DELETE', MESSAGE, remove],
  ['GET', String.raw`${MESSAGE}/\$value`, (asked) => ({ status: 200, body: message(asked).raw })],
  ['GET', `${MESSAGE}/attachments`, listAttachments],
  ['GET', String.raw`${MESSAGE}/attachments/([^/?]+)/\$value`, attachment],
  ['POST', `${MESSAGE}/move`, move],
  ['POST', `${MESSAGE}/send`, send],
];

/** Handles a request below the API's URL. */
export async function answer(method: string, path: string, asked: Omit<Asked, 'ids'>): Promise<Outcome> {
  for (const [verb, pattern, handler] of ROUTES) {
    const match = verb === method ? new RegExp(`^${pattern}$`, 'i').exec(path) : null;
    if (!match) continue;
    try {
      return await handler({ ...asked, ids: match.slice(1).map((id) => decodeURIComponent(id)) });
    } catch (error) {
      if (error instanceof GraphRefusal) return error.reply;
      throw error;
    }
  }
  return errorReply(400, 'BadRequest', `Resource not found for the segment of ${method} ${path}.`);
}

function me({ mailbox }: Asked): GraphReply {
  const { address } = mailbox;
  return {
    status: 200,
    body: { id: 'user', mail: address, userPrincipalName: address, proxyAddresses: [`SMTP:${address}`] },
  };
}

function shownFolder(mailbox: GraphMailbox, { id, displayName, parent, isHidden }: StoredFolder): object {
  const childFolderCount = mailbox.folders.filter((folder) => folder.parent === id).length;
  const messages = mailbox.in(id);
  const unreadItemCount = messages.filter(({ isRead }) => !isRead).length;
  return {
    id,
    displayName,
    parentFolderId: parent ?? 'root',
    childFolderCount,
    totalItemCount: messages.length,
    unreadItemCount,
    isHidden,
  };
}

function listFolders(asked: Asked, parent: string | null): GraphReply {
  const hidden = asked.query.get('includeHiddenFolders') === 'true';
  const folders = asked.mailbox.folders.filter((folder) => folder.parent === parent && (hidden || !folder.isHidden));
  const path = parent === null ? '/me/mailFolders' : `/me/mailFolders/${parent}/childFolders`;
  return paged(
    asked,
    path,
    folders.map((folder) => shownFolder(asked.mailbox, folder)),
  );
}

/** Top-level folders. Names are compared without case, including hidden folders. */
function createFolder({ mailbox, contentType, body }: Asked): GraphReply {
  if (!contentType.startsWith('application/json'))
    throw badRequest('BadRequest', 'Unable to read JSON request payload.');
  const { displayName, isHidden = false } = json(body);
  if (typeof displayName !== 'string' || displayName === '' || typeof isHidden !== 'boolean') {
    throw badRequest('ErrorInvalidRequest', 'The folder cannot be made from this.');
  }
  const isSame = (folder: StoredFolder): boolean => folder.displayName.toLowerCase() === displayName.toLowerCase();
  if (mailbox.folders.some((folder) => folder.parent === null && isSame(folder))) {
    return errorReply(409, 'ErrorFolderExists', 'A folder with the specified name already exists.');
  }
  return { status: 201, body: shownFolder(mailbox, mailbox.addFolder(displayName, { isHidden })) };
}

function listMessages(asked: Asked): GraphReply {
  const { mailbox, query, ids } = asked;
  const matches = getFilter(query);
  const shown = getShown(query);
  const found = ordered(
    mailbox.in(ids[0] ?? '').filter((one) => matches(one)),
    query,
  );
  return paged(
    asked,
    `/me/mailFolders/${ids[0]}/messages`,
    found.map((one) => shownMessage(one, shown)),
  );
}

/** `$top` entries from `$skip` on, and a link to the next page. */
function paged({ api, query }: Asked, path: string, all: readonly object[]): GraphReply {
  const top = Number(query.get('$top') ?? 10);
  if (!(top >= 1 && top <= 1000)) throw badRequest('ErrorInvalidUrlQueryTop', 'Invalid value for $top.');
  const skip = Number(query.get('$skip') ?? 0);
  const next = new URLSearchParams([...query].filter(([key]) => key !== '$skip'));
  next.set('$skip', String(skip + top));
  const link = skip + top < all.length ? { '@odata.nextLink': `${api}${path}?${next.toString()}` } : {};
  return { status: 200, body: { ...link, value: all.slice(skip, skip + top) } };
}

function delta({ mailbox, api, query, ids, prefer }: Asked): GraphReply {
  const asked = Number(/odata\.maxpagesize=(\d+)/.exec(prefer)?.[1] ?? query.get('$top') ?? 10);
  return answerDelta(mailbox, api, ids[0] ?? '', query, asked);
}

/** A draft from MIME, in any folder. */
async function create({ mailbox, contentType, body }: Asked, folder: string): Promise<Outcome> {
  if (!contentType.startsWith('text/plain'))
    throw badRequest('UnableToDeserializePostBody', 'This server takes MIME only.');
  if (body.length > MAX_BODY) return errorReply(413, 'RequestEntityTooLarge', 'The request is too large.');
  const text = body.toString('latin1');
  if (text === '' || !/^[A-Za-z0-9+/\r\n]+=*$/.test(text)) {
    throw badRequest('ErrorMimeContentInvalidBase64String', 'Invalid base64 string for MIME content.');
  }
  const raw = Buffer.from(text, 'base64');
  if (fateOf(mailbox, raw.toString('latin1')) === 'lost-before') return 'reset';
  const draft = await mailbox.store(raw, { folder, isDraft: true });
  return { status: 201, body: shownMessage(draft, { select: null, expand: [] }) };
}

function patch(asked: Asked): GraphReply {
  const { isRead } = json(asked.body);
  if (typeof isRead !== 'boolean') throw badRequest('ErrorInvalidRequest', 'Nothing that can be updated.');
  const found = message(asked);
  asked.mailbox.update(found, { isRead });
  return { status: 200, body: shownMessage(found, { select: null, expand: [] }) };
}

/** Moves to the deleted items first; from there it deletes permanently. */
function remove(asked: Asked): GraphReply {
  const { mailbox } = asked;
  const found = message(asked);
  if (found.folder === mailbox.folder('deleteditems').id) mailbox.remove(found);
  else mailbox.move(found, 'deleteditems');
  return { status: 204 };
}

function move(asked: Asked): GraphReply {
  const found = message(asked);
  asked.mailbox.move(found, String(json(asked.body)['destinationId']));
  return { status: 201, body: shownMessage(found, { select: null, expand: [] }) };
}

function send(asked: Asked): Outcome {
  const { mailbox } = asked;
  const draft = message(asked);
  if (!draft.isDraft) throw itemNotFound();
  const fate = fateOf(mailbox, draft.raw.toString('latin1'));
  if (fate === 'temporary') return throttled('ApplicationThrottled', 1);
  if (fate === 'permanent') return errorReply(400, 'ErrorInvalidRecipients', 'At least one recipient is not valid.');
  mailbox.accept(draft);
  return fate === 'lost-after' ? 'reset' : { status: 202 };
}

function listAttachments(asked: Asked): GraphReply {
  const { mime, links } = message(asked);
  const files = mime.attachments.map(({ filename, mimeType, content }, index) => ({
    '@odata.type': `#microsoft.graph.${mimeType === 'message/rfc822' ? 'itemAttachment' : 'fileAttachment'}`,
    id: `att${index}=`,
    name: filename ?? null,
    contentType: mimeType === 'message/rfc822' ? null : mimeType,
    size: Buffer.from(content as ArrayBuffer).length,
  }));
  const references = links.map((name, index) => ({
    '@odata.type': '#microsoft.graph.referenceAttachment',
    id: `ref${index}=`,
    name,
    contentType: null,
    size: 0,
  }));
  return paged(asked, `/me/messages/${asked.ids[0]}/attachments`, [...references, ...files]);
}

function attachment(asked: Asked): GraphReply {
  const [, id = ''] = asked.ids;
  if (id.startsWith('ref')) return errorReply(405, 'ErrorInvalidRequest', 'A reference attachment has no content.');
  const found = message(asked).mime.attachments[Number(/^att(\d+)=$/.exec(id)?.[1] ?? NaN)];
  if (!found) throw itemNotFound();
  return { status: 200, headers: { 'content-type': found.mimeType }, body: Buffer.from(found.content as ArrayBuffer) };
}

function message({ mailbox, ids }: Pick<Asked, 'mailbox' | 'ids'>): StoredMessage {
  return mailbox.message(ids[0] ?? '');
}

function fateOf({ fates }: GraphMailbox, mime: string): GraphFate {
  for (const [recipient, fate] of fates) if (mime.includes(recipient)) return fate;
  return 'accepted';
}

function json(body: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  } catch {
    throw badRequest('BadRequest', 'Unable to read JSON request payload.');
  }
}
