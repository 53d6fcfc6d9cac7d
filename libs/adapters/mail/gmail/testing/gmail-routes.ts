import { type GmailHistoryRecord, type GmailLabel, type GmailMessage } from '../gmail-resources';
import { type GmailMailbox, type StoredMessage } from './gmail-mailbox';
import { GmailRefusal, type GmailReply, refusals } from './gmail-refusals';
import { searched } from './gmail-search';
import { asPayload, getHeader, getPart } from './mime-tree';

/** The API methods of the local server. */
export type GmailMethod =
  | 'getProfile'
  | 'sendAs.list'
  | 'labels.list'
  | 'labels.create'
  | 'messages.list'
  | 'messages.get'
  | 'messages.modify'
  | 'messages.trash'
  | 'messages.insert'
  | 'messages.import'
  | 'messages.delete'
  | 'attachments.get'
  | 'history.list'
  | 'drafts.create'
  | 'drafts.list'
  | 'drafts.get'
  | 'drafts.delete'
  | 'drafts.send';

/** An authorised and matched request with its body. */
export interface GmailRequest {
  readonly method: GmailMethod;
  readonly mailbox: GmailMailbox;
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  /** JSON body, or the metadata of an upload. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The message, from either of them. */
  readonly raw: Buffer | null;
  /** The maximum entries of a page for any request, so that tests need no thousands. */
  readonly maxPage: number;
}

type Handler = (request: GmailRequest) => unknown;

const ROUTES: readonly (readonly [verb: string, path: RegExp, method: GmailMethod])[] = [
  ['GET', /^profile$/, 'getProfile'],
  ['GET', /^settings\/sendAs$/, 'sendAs.list'],
  ['GET', /^labels$/, 'labels.list'],
  ['POST', /^labels$/, 'labels.create'],
  ['GET', /^messages$/, 'messages.list'],
  ['POST', /^messages$/, 'messages.insert'],
  ['POST', /^messages\/import$/, 'messages.import'],
  ['GET', /^messages\/([^/]+)$/, 'messages.get'],
  ['DELETE', /^messages\/([^/]+)$/, 'messages.delete'],
  ['POST', /^messages\/([^/]+)\/modify$/, 'messages.modify'],
  ['POST', /^messages\/([^/]+)\/trash$/, 'messages.trash'],
  ['GET', /^messages\/([^/]+)\/attachments\/([^/]+)$/, 'attachments.get'],
  ['GET', /^history$/, 'history.list'],
  ['POST', /^drafts$/, 'drafts.create'],
  ['GET', /^drafts$/, 'drafts.list'],
  ['POST', /^drafts\/send$/, 'drafts.send'],
  ['GET', /^drafts\/([^/]+)$/, 'drafts.get'],
  ['DELETE', /^drafts\/([^/]+)$/, 'drafts.delete'],
];

const MAX_LABEL_NAME = 225;

/** Methods that accept a complete message. */
export const UPLOADS: ReadonlySet<GmailMethod> = new Set(['drafts.create', 'messages.insert', 'messages.import']);

/** @param path below `users/{userId}/` */
export function getRoute(verb: string, path: string): { method: GmailMethod; ids: string[] } | null {
  for (const [ofVerb, pattern, method] of ROUTES) {
    const match = ofVerb === verb ? pattern.exec(path) : null;
    if (match) return { method, ids: match.slice(1).map(decodeURIComponent) };
  }
  return null;
}

export function handled(request: GmailRequest): GmailReply {
  try {
    const body = HANDLERS[request.method](request);
    return body === undefined ? { status: 204, body: undefined } : { status: 200, body };
  } catch (error) {
    if (error instanceof GmailRefusal) return error.reply;
    throw error;
  }
}

const HANDLERS: Readonly<Record<GmailMethod, Handler>> = {
  getProfile: ({ mailbox }) => ({
    emailAddress: mailbox.address,
    messagesTotal: mailbox.messages.size,
    threadsTotal: new Set([...mailbox.messages.values()].map(({ threadId }) => threadId)).size,
    historyId: String(mailbox.historyId),
  }),
  'sendAs.list': ({ mailbox: { address, aliases } }) => ({
    sendAs: [
      { sendAsEmail: address, isPrimary: true, isDefault: true },
      ...aliases.map(({ email, verificationStatus }) => ({ sendAsEmail: email, verificationStatus })),
    ],
  }),
  'labels.list': ({ mailbox }) => ({ labels: mailbox.labels() }),
  'labels.create': ({ mailbox, json }) => newLabel(mailbox, json),
  'messages.list': (request) => {
    const found = searched(request.mailbox, searchOf(request));
    const { entries, ...page } = paged(request, found);
    // Empty lists and values are omitted.
    const messages = entries.map(({ id, threadId }) => ({ id, threadId }));
    return { ...(messages.length > 0 ? { messages } : {}), ...page, resultSizeEstimate: found.length };
  },
  'messages.get': ({ mailbox, ids: [id = ''], query }) => resource(mailbox.get(id), query),
  'messages.delete': ({ mailbox, ids: [id = ''] }) => mailbox.remove(id),
  'messages.modify': ({ mailbox, ids: [id = ''], json }) => {
    const [add, remove] = [strings(json['addLabelIds']), strings(json['removeLabelIds'])];
    mailbox.get(id);
    mailbox.checkManual([...add, ...remove]);
    return minimal(mailbox.relabel(id, add, remove));
  },
  'messages.trash': ({ mailbox, ids: [id = ''] }) => minimal(mailbox.relabel(id, ['TRASH'], ['INBOX'])),
  'messages.insert': (request) => inserted(request),
  'messages.import': (request) => inserted(request),
  'attachments.get': ({ mailbox, ids: [id = '', attachmentId = ''] }) => {
    const part = getPart(mailbox.get(id).tree, attachmentId);
    if (!part) throw new GmailRefusal(refusals.invalid('Invalid attachment token'));
    return { size: part.body.length, data: part.body.toString('base64url') };
  },
  'history.list': (request) => historyPage(request),
  'drafts.create': ({ mailbox, json, raw }) => {
    const { threadId } = (json['message'] ?? {}) as { threadId?: string };
    const id = mailbox.createDraft(needed(raw), threadId);
    return { id, message: minimal(mailbox.draft(id)) };
  },
  'drafts.list': (request) => {
    const { mailbox } = request;
    const found = new Set(searched(mailbox, searchOf(request)).map(({ id }) => id));
    const { entries, ...page } = paged(
      request,
      [...mailbox.drafts].filter(([, messageId]) => found.has(messageId)),
    );
    const drafts = entries.map(([id, messageId]) => ({ id, message: { id: messageId } }));
    return { ...(drafts.length > 0 ? { drafts } : {}), ...page, resultSizeEstimate: drafts.length };
  },
  'drafts.get': ({ mailbox, ids: [id = ''], query }) => ({ id, message: resource(mailbox.draft(id), query) }),
  'drafts.delete': ({ mailbox, ids: [id = ''] }) => mailbox.deleteDraft(id),
  'drafts.send': ({ mailbox, json }) => minimal(mailbox.sendDraft(json['id'] as string)),
};

/** The name must be free without regard to case, and not reserved by Gmail. */
function newLabel(mailbox: GmailMailbox, json: GmailRequest['json']): GmailLabel {
  const { name, labelListVisibility = 'labelShow', messageListVisibility = 'show' } = json;
  if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_LABEL_NAME) {
    throw new GmailRefusal(refusals.invalid('Invalid label name'));
  }
  const inList = oneOf(['labelShow', 'labelShowIfUnread', 'labelHide'], labelListVisibility);
  const inMessages = oneOf(['show', 'hide'], messageListVisibility);
  const same = mailbox.labels().find((label) => label.name.toLowerCase() === name.toLowerCase());
  if (same?.type === 'system') throw new GmailRefusal(refusals.invalid('Invalid label name'));
  if (same) throw new GmailRefusal(refusals.labelExists());
  const visibility = { labelListVisibility: inList, messageListVisibility: inMessages };
  return { id: mailbox.createLabel(name, visibility), name, ...visibility };
}

function oneOf(values: readonly string[], given: unknown): string {
  const found = values.find((value) => value === given);
  if (found === undefined) throw new GmailRefusal(refusals.invalid(`Invalid value: ${JSON.stringify(given)}`));
  return found;
}

function inserted({ mailbox, json, raw, query }: GmailRequest): GmailMessage {
  const labels = strings(json['labelIds']);
  mailbox.checkManual(labels);
  const message = needed(raw);
  const stored = mailbox.store(message, labels);
  const { headers } = stored.tree;
  const at = query.get('internalDateSource') === 'dateHeader' ? Date.parse(getHeader(headers, 'date')) : Number.NaN;
  if (!Number.isNaN(at)) mailbox.messages.set(stored.id, { ...stored, internalDate: at });
  // Gmail sets the label of the owner's own mail.
  if (getHeader(headers, 'from').toLowerCase().includes(mailbox.address.toLowerCase())) stored.labels.add('SENT');
  return minimal(stored);
}

function historyPage(request: GmailRequest): object {
  const { mailbox, query } = request;
  const start = query.get('startHistoryId') ?? '';
  if (!/^\d+$/.test(start)) throw new GmailRefusal(refusals.invalid('Invalid startHistoryId'));
  const isKnown = BigInt(start) >= mailbox.oldestHistoryId && BigInt(start) <= mailbox.historyId;
  if (!isKnown) throw new GmailRefusal(refusals.notFound());
  const types = query.getAll('historyTypes');
  const records = mailbox.history
    .filter(({ id }) => BigInt(id) > BigInt(start))
    .filter((record) => types.length === 0 || types.some((type) => TYPES[type]?.(record)));
  const { entries, ...page } = paged(request, records);
  const history = entries.map((record) => ({ ...record, messages: messagesOf(record) }));
  return { ...(history.length > 0 ? { history } : {}), ...page, historyId: String(mailbox.historyId) };
}

const TYPES: Readonly<Record<string, (record: GmailHistoryRecord) => boolean>> = {
  messageAdded: ({ messagesAdded }) => messagesAdded !== undefined,
  messageDeleted: ({ messagesDeleted }) => messagesDeleted !== undefined,
  labelAdded: ({ labelsAdded }) => labelsAdded !== undefined,
  labelRemoved: ({ labelsRemoved }) => labelsRemoved !== undefined,
};

function messagesOf({ messagesAdded, messagesDeleted, labelsAdded, labelsRemoved }: GmailHistoryRecord): unknown[] {
  const all = [messagesAdded, messagesDeleted, labelsAdded, labelsRemoved].flatMap((changed) => changed ?? []);
  return all.map(({ message }) => message);
}

function paged<T>({ query, maxPage }: GmailRequest, all: readonly T[]): { entries: T[]; nextPageToken?: string } {
  const asked = Number(query.get('maxResults') ?? 100);
  const size = Math.min(asked, 500, maxPage);
  const start = Number(query.get('pageToken') ?? 0);
  if (!Number.isInteger(start)) throw new GmailRefusal(refusals.invalid('Invalid pageToken'));
  const entries = all.slice(start, start + size);
  return start + size < all.length ? { entries, nextPageToken: String(start + size) } : { entries };
}

function searchOf({ query }: GmailRequest) {
  return {
    q: query.get('q') ?? '',
    labelIds: query.getAll('labelIds'),
    includeSpamTrash: query.get('includeSpamTrash') === 'true',
  };
}

function minimal({ id, threadId, labels }: StoredMessage): GmailMessage {
  return { id, threadId, ...(labels.size > 0 ? { labelIds: [...labels] } : {}) };
}

function resource(message: StoredMessage, query: URLSearchParams): object {
  const { raw, tree, internalDate, historyId } = message;
  const base = {
    ...minimal(message),
    snippet: '',
    sizeEstimate: raw.length,
    historyId: String(historyId),
    internalDate: String(internalDate),
  };
  const format = query.get('format') ?? 'full';
  if (format === 'minimal') return base;
  if (format === 'raw') return { ...base, raw: raw.toString('base64url') };
  if (format === 'full') return { ...base, payload: asPayload(tree) };
  if (format !== 'metadata') throw new GmailRefusal(refusals.invalid(`Invalid format: ${format}`));
  const wanted = query.getAll('metadataHeaders').map((name) => name.toLowerCase());
  const headers = tree.headers.filter(({ name = '' }) => wanted.length === 0 || wanted.includes(name.toLowerCase()));
  return { ...base, payload: { mimeType: tree.mimeType, headers } };
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function needed(raw: Buffer | null): Buffer {
  if (!raw || raw.length === 0)
    throw new GmailRefusal(refusals.invalid("'raw' RFC822 payload message string required"));
  return raw;
}
