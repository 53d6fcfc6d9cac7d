import { type MailHeaders, type MailPart, type ParsedMail } from '../../classify/parsed-mail';

export interface Written {
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly from?: string;
  /** By name; `Date` is also the date of the mail. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly parts?: readonly Partial<MailPart>[];
  /** The Message-ID that it answers; null without one. */
  readonly inReplyTo?: string | null;
}

/** A Saturday. */
const WRITTEN_ON = 'Sat, 21 Nov 2026 10:00:00 +0000';

/** A parsed mail with defaults for the omitted fields. */
export function getMail({
  subject = 'Re: Hello',
  text = '',
  html,
  from = 'jane@example.com',
  ...rest
}: Written): ParsedMail {
  const { headers = {}, parts = [], inReplyTo = '<sent@ours.example>' } = rest;
  const fields = headersOf({ Date: WRITTEN_ON, Subject: subject, ...headers });
  return {
    headers: fields,
    from: { name: 'Jane', address: from },
    to: [{ name: '', address: 'tom@ours.example' }],
    subject,
    date: new Date(fields.get('date') ?? WRITTEN_ON),
    messageId: '<reply@example.com>',
    inReplyTo,
    references: inReplyTo === null ? [] : [inReplyTo],
    text,
    html: html ?? null,
    parts: parts.map((part) => ({ contentType: 'text/plain', fileName: null, size: 0, text: null, ...part })),
    returned: null,
  };
}

function headersOf(fields: Readonly<Record<string, string>>): MailHeaders {
  const values = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    get: (name) => values.get(name.toLowerCase()) ?? null,
    getAll: (name) => [values.get(name.toLowerCase())].filter((value) => value !== undefined),
    has: (name) => values.has(name.toLowerCase()),
    names: () => [...values.keys()],
  };
}
