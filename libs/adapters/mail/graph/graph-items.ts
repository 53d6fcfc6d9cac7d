import { type MailAddress, type MessageFlags, type MessageSummary } from '../port/changes';

interface GraphRecipient {
  readonly emailAddress?: { readonly name?: unknown; readonly address?: unknown } | null;
}

/** A message of Graph. An entry of a delta query may contain only the changes, or the removal from the folder. */
export interface GraphItem {
  readonly id?: unknown;
  readonly '@removed'?: unknown;
  readonly parentFolderId?: unknown;
  readonly conversationId?: unknown;
  readonly internetMessageId?: unknown;
  readonly subject?: unknown;
  readonly from?: GraphRecipient | null;
  readonly toRecipients?: unknown;
  readonly sentDateTime?: unknown;
  readonly receivedDateTime?: unknown;
  readonly createdDateTime?: unknown;
  readonly isRead?: unknown;
  readonly isDraft?: unknown;
  readonly flag?: { readonly flagStatus?: unknown } | null;
  readonly singleValueExtendedProperties?: unknown;
}

/** MAPI properties without a name in Graph: In-Reply-To, References, size in bytes, last action. */
const IN_REPLY_TO = 0x1042;
const REFERENCES = 0x1039;
const SIZE = 0x0e08;
const LAST_VERB = 0x1081;

/** Values of the last action: reply to the sender, and to all. */
const REPLIES = new Set([102, 103]);

/** Query parameters for the properties read in this file. */
export const ITEM_FIELDS = {
  $select: [
    'parentFolderId',
    'conversationId',
    'internetMessageId',
    'subject',
    'from',
    'toRecipients',
    'sentDateTime',
    'receivedDateTime',
    'createdDateTime',
    'isRead',
    'isDraft',
    'flag',
  ].join(','),
  // Not `internetMessageHeaders`, which returns the whole header block for two lines.
  $expand: `singleValueExtendedProperties($filter=${[
    'String 0x1042',
    'String 0x1039',
    'Integer 0x0E08',
    'Integer 0x1081',
  ]
    .map((id) => `id eq '${id}'`)
    .join(' or ')})`,
} as const;

/** Maximum characters of a header value. */
const MAX_TEXT = 2_000;
const MAX_ADDRESSES = 500;
const MAX_REFERENCES = 100;

/** The id; null for an entry without one. */
export function getGraphId(item: GraphItem): string | null {
  return typeof item.id === 'string' && item.id !== '' ? item.id : null;
}

/**
 * Whether the message is complete. When only its read state changed, Graph's delta query returns only the id, the folder and `isRead`,
 * regardless of `$select`.
 */
export function isWholeItem(item: GraphItem): boolean {
  return getReceivedAt(item) !== null && typeof item.parentFolderId === 'string' && typeof item.isRead === 'boolean';
}

export function getReceivedAt({ receivedDateTime }: GraphItem): Date | null {
  return parseDate(receivedDateTime);
}

export function getCreatedAt({ createdDateTime }: GraphItem): Date | null {
  return parseDate(createdDateTime);
}

export function getGraphFlags(item: GraphItem): MessageFlags {
  return {
    seen: item.isRead === true,
    answered: REPLIES.has(Number(getExtendedProperty(item, LAST_VERB) ?? 0)),
    flagged: item.flag?.flagStatus === 'flagged',
    draft: item.isDraft === true,
  };
}

/** Bytes of the message as stored by Exchange, 0 when unknown: its MIME form may differ slightly. */
export function getSize(item: GraphItem): number {
  const size = Number(getExtendedProperty(item, SIZE) ?? 0);
  return Number.isSafeInteger(size) && size > 0 ? size : 0;
}

export function getGraphSummary(item: GraphItem): MessageSummary {
  const to = Array.isArray(item.toRecipients) ? (item.toRecipients as unknown[]) : [];
  return {
    messageId: parseMessageIds(item.internetMessageId)[0] ?? null,
    inReplyTo: parseMessageIds(getExtendedProperty(item, IN_REPLY_TO))[0] ?? null,
    references: parseMessageIds(getExtendedProperty(item, REFERENCES)).slice(0, MAX_REFERENCES),
    from: toAddress(item.from),
    to: to.slice(0, MAX_ADDRESSES).flatMap((recipient) => toAddress(recipient) ?? []),
    subject: getString(item.subject),
    // The Date header as read by Exchange, or the time of receipt without one.
    date: parseDate(item.sentDateTime),
  };
}

export function getConversation({ conversationId }: GraphItem): string | null {
  return typeof conversationId === 'string' && conversationId !== '' ? conversationId : null;
}

function getExtendedProperty(item: GraphItem, tag: number): unknown {
  const properties = Array.isArray(item.singleValueExtendedProperties) ? item.singleValueExtendedProperties : [];
  for (const property of properties as ({ id?: unknown; value?: unknown } | null)[]) {
    // Graph returns `Integer 0xe08` when `Integer 0x0E08` is requested.
    const named = /^\w+ (0x[0-9a-f]+)$/i.exec(String(property?.id))?.[1];
    if (named !== undefined && Number(named) === tag) return property?.value;
  }
  return undefined;
}

function parseMessageIds(value: unknown): string[] {
  const text = getString(value);
  const found = text.match(/<[^<>\s]+>/g);
  if (found) return found;
  return text === '' || /[\s<>]/.test(text) ? [] : [`<${text}>`];
}

function toAddress(recipient: unknown): MailAddress | null {
  const email = (recipient as GraphRecipient | null | undefined)?.emailAddress;
  if (typeof email !== 'object' || email === null) return null;
  const name = getString(email.name);
  const address = getString(email.address);
  return name === '' && address === '' ? null : { name: name === address ? '' : name, address };
}

/** One line, so that a sender's header cannot add lines to a log, a mail or a page. */
function getString(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
}

function parseDate(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  const date = new Date(value);
  // Graph returns 0001-01-01 for a missing time.
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1970 ? null : date;
}
