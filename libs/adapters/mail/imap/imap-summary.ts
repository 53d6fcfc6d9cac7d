import PostalMime from 'postal-mime';
import { type MailAddress, type MessageFlags, type MessageSummary } from '../port/changes';

/** The header fields of a summary. */
export const SUMMARY_FIELDS = ['FROM', 'TO', 'SUBJECT', 'DATE', 'MESSAGE-ID', 'IN-REPLY-TO', 'REFERENCES'] as const;

/** Maximum processed bytes of a header; the longest real ones are lists of References and recipients. */
export const SUMMARY_BYTES = 65_536;

const MOST_REFERENCES = 200;

const EMPTY: MessageSummary = {
  messageId: null,
  inReplyTo: null,
  references: [],
  from: null,
  to: [],
  subject: '',
  date: null,
};

/** Parses header fields. No input makes it fail; unreadable fields are missing. */
export async function getImapSummary(headers: Buffer): Promise<MessageSummary> {
  const parsed = await PostalMime.parse(headers).catch(() => null);
  if (!parsed) return EMPTY;
  const [from] = toAddresses(parsed.from === undefined ? [] : [parsed.from]);
  return {
    messageId: parseMessageIds(parsed.messageId)[0] ?? null,
    inReplyTo: parseMessageIds(parsed.inReplyTo)[0] ?? null,
    references: parseMessageIds(parsed.references).slice(-MOST_REFERENCES),
    from: from ?? null,
    to: toAddresses(parsed.to ?? []),
    subject: cleanText(parsed.subject),
    date: parseDate(parsed.date),
  };
}

/** Converts IMAP flags to those of the port. */
export function getImapFlags(flags: Iterable<string> | undefined): MessageFlags {
  const set = new Set([...(flags ?? [])].map((flag) => flag.toLowerCase()));
  return {
    seen: set.has('\\seen'),
    answered: set.has('\\answered'),
    flagged: set.has('\\flagged'),
    draft: set.has('\\draft'),
  };
}

interface Parsed {
  readonly name?: string;
  readonly address?: string;
  readonly group?: readonly Parsed[];
}

function toAddresses(parsed: readonly Parsed[]): MailAddress[] {
  return parsed.flatMap(({ name, address, group }) =>
    group ? toAddresses(group) : [{ name: cleanText(name), address: cleanText(address) }],
  );
}

/** Message-IDs in a field, with angle brackets; missing ones are added. */
function parseMessageIds(field: string | undefined): string[] {
  const written = cleanText(field).trim();
  if (written === '') return [];
  const bracketed = written.match(/<[^<>\s]+>/g);
  if (bracketed) return bracketed;
  const [bare = ''] = written.replaceAll(/[<>]/g, ' ').trim().split(/\s+/);
  return bare === '' ? [] : [`<${bare}>`];
}

function parseDate(field: string | undefined): Date | null {
  const date = new Date(field ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Removes control characters and lone surrogates, which databases and screens cannot process. */
function cleanText(value: string | undefined): string {
  return (value ?? '').toWellFormed().replaceAll(/\p{Cc}/gu, '');
}
