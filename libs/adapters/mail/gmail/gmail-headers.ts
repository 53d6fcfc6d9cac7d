import { addressParser, decodeWords } from 'postal-mime';
import { type MailAddress, type MessageSummary } from '../port/changes';
import { type GmailHeader } from './gmail-resources';

/** The headers of a summary, requested from `messages.get`. */
export const SUMMARY_HEADERS = ['Message-ID', 'In-Reply-To', 'References', 'From', 'To', 'Subject', 'Date'] as const;

/** Maximum processed characters of a header: senders can write megabytes, and address parsing is expensive. */
const MAX_HEADER = 32 * 1024;
const MAX_SENDER = 4 * 1024;
const MAX_SUBJECT = 2_000;
const MAX_RECIPIENTS = 1_000;
const MAX_REFERENCES = 200;

/** Summarizes untrusted headers: unreadable fields are null or empty, and no input makes it fail. */
export function getGmailSummary(headers: readonly GmailHeader[]): MessageSummary {
  const all = (name: string): string[] =>
    headers
      .filter((header) => header.name?.toLowerCase() === name && typeof header.value === 'string')
      .map(({ value = '' }) => value.slice(0, MAX_HEADER).toWellFormed());
  const first = (name: string): string => all(name)[0] ?? '';
  return {
    messageId: parseMessageIds(first('message-id'))[0] ?? null,
    inReplyTo: parseMessageIds(first('in-reply-to'))[0] ?? null,
    references: parseMessageIds(first('references')).slice(-MAX_REFERENCES),
    from: parseAddresses(first('from').slice(0, MAX_SENDER))[0] ?? null,
    to: all('to').flatMap(parseAddresses).slice(0, MAX_RECIPIENTS),
    subject: toOneLine(decodeWords(first('subject')))
      .slice(0, MAX_SUBJECT)
      .toWellFormed(),
    date: parseDate(first('date')),
  };
}

/** Message-IDs with angle brackets; missing ones are added. */
function parseMessageIds(value: string): string[] {
  const bracketed = value.match(/<[^<>\s]{1,996}>/g);
  if (bracketed) return bracketed;
  const bare = value.trim().replaceAll(/^<|>$/g, '');
  return /^[^<>\s]{1,996}$/.test(bare) ? [`<${bare}>`] : [];
}

function parseAddresses(value: string): MailAddress[] {
  return addressParser(value)
    .flatMap((entry) => entry.group ?? [entry])
    .map(({ name, address }) => ({ name: toOneLine(name), address: decodeHeader(address ?? '') }))
    .filter(({ name, address }) => name !== '' || address !== '');
}

/** Text that could be several addresses is no address. `<MAILER-DAEMON>` is one, because bounces come from it. */
function decodeHeader(address: string): string {
  return /^[^\s\p{Cc}<>(),;"]+$/u.test(address) ? address : '';
}

function parseDate(value: string): Date | null {
  const date = new Date(value.slice(0, 200).replaceAll(/\([^()]*\)/g, ''));
  return Number.isNaN(date.getTime()) ? null : date;
}

function toOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim();
}
