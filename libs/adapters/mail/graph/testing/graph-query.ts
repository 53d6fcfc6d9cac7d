import { badRequest } from './graph-answers';
import { type StoredMessage } from './graph-mailbox';

/** The part of a query that selects the properties of a message. */
export interface Shown {
  /** null for all properties. */
  readonly select: readonly string[] | null;
  /** Tags of extended properties. */
  readonly expand: readonly string[];
}

const EXPAND = /^singleValueExtendedProperties\(\$filter=(.+)\)$/;

export function getShown(query: URLSearchParams): Shown {
  const expand = query.get('$expand');
  const inner = expand === null ? null : EXPAND.exec(expand)?.[1];
  if (inner === undefined) throw badRequest('RequestBroker--ParseUri', `Could not find a property named '${expand}'.`);
  const ids = inner === null ? [] : inner.split(' or ').map((part) => /^id eq '([^']+)'$/.exec(part)?.[1]);
  if (ids.includes(undefined)) throw badRequest('ErrorInvalidProperty', 'The property id is not valid.');
  return { select: query.get('$select')?.split(',') ?? null, expand: ids as string[] };
}

/** The part of `$filter` that Graph supports for mail and this project uses. */
export function getFilter(query: URLSearchParams): (message: StoredMessage) => boolean {
  const filter = query.get('$filter');
  if (filter === null) return () => true;
  const since = /^receivedDateTime g([et]) (\S+)$/.exec(filter);
  if (since) {
    const at = Date.parse(since[2] ?? '');
    if (Number.isNaN(at)) throw badRequest('RequestBroker--ParseUri', 'The time cannot be read.');
    return ({ receivedAt }) => (since[1] === 'e' ? receivedAt.getTime() >= at : receivedAt.getTime() > at);
  }
  const id = /^internetMessageId eq '((?:[^']|'')*)'$/.exec(filter)?.[1]?.replaceAll("''", "'");
  if (id === undefined)
    throw badRequest('ErrorInvalidUrlQueryFilter', 'The query filter contains one or more invalid nodes.');
  return ({ mime }) => mime.messageId === id;
}

/** Sorted by `$orderby`; without it in order of arrival. */
export function ordered(messages: StoredMessage[], query: URLSearchParams): StoredMessage[] {
  const [, direction] = /^receivedDateTime(?: (asc|desc))?$/.exec(query.get('$orderby') ?? '') ?? [];
  if (!query.has('$orderby')) return messages;
  const sign = direction === 'desc' ? -1 : 1;
  return messages.toSorted((a, b) => sign * (a.receivedAt.getTime() - b.receivedAt.getTime() || a.order - b.order));
}

/** A message as JSON. Times have whole seconds, as in Graph. */
export function shownMessage(message: StoredMessage, { select, expand }: Shown): Record<string, unknown> {
  const { mime } = message;
  const all: Record<string, unknown> = {
    parentFolderId: message.folder,
    conversationId: message.conversationId,
    internetMessageId: mime.messageId ?? null,
    subject: mime.subject ?? '',
    ...(mime.from ? { from: recipient(mime.from) } : {}),
    toRecipients: recipientsOf(mime.to),
    ccRecipients: recipientsOf(mime.cc),
    bccRecipients: recipientsOf(mime.bcc),
    sentDateTime: seconds(dateOf(mime.date) ?? message.receivedAt),
    receivedDateTime: seconds(message.receivedAt),
    createdDateTime: seconds(message.createdAt),
    lastModifiedDateTime: seconds(message.modifiedAt),
    isRead: message.isRead,
    isDraft: message.isDraft,
    flag: { flagStatus: message.isFlagged ? 'flagged' : 'notFlagged' },
    hasAttachments: mime.attachments.length > 0,
    inferenceClassification: 'other',
  };
  const chosen = select ? Object.fromEntries(select.flatMap((key) => (key in all ? [[key, all[key]]] : []))) : all;
  const properties = expand.flatMap((id) => extended(message, id));
  return {
    '@odata.etag': `W/"${message.order}"`,
    id: message.id,
    ...chosen,
    ...(properties.length > 0 ? { singleValueExtendedProperties: properties } : {}),
  };
}

function extended(message: StoredMessage, id: string): { id: string; value: string }[] {
  const [type = '', tag = ''] = id.split(' ');
  const values: Record<number, string | undefined> = {
    0x1042: message.mime.inReplyTo,
    0x1039: message.mime.references,
    0x0e08: String(message.raw.length),
    0x1081: message.isAnswered ? '102' : undefined,
  };
  const value = values[Number(tag)];
  // Graph returns tags in a shorter spelling than requested.
  return value === undefined ? [] : [{ id: `${type} 0x${Number(tag).toString(16)}`, value }];
}

interface Mailbox {
  readonly name?: string;
  readonly address?: string | undefined;
  readonly group?: readonly Mailbox[] | undefined;
}

function recipientsOf(list: readonly Mailbox[] | undefined): object[] {
  return (list ?? []).flatMap((one) => (one.group ? recipientsOf(one.group) : [recipient(one)]));
}

function recipient({ name, address }: Mailbox): object {
  return { emailAddress: { name: name || (address ?? ''), address: address ?? '' } };
}

function dateOf(text: string | undefined): Date | null {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}

function seconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
