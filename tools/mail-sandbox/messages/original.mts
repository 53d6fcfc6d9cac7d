import PostalMime, { type Email } from 'postal-mime';

/** The message that something is an answer to. */
export interface Original {
  raw: Buffer;
  /** Envelope: bounces and auto-replies go to the sender. */
  envelopeFrom: string;
  recipient: string;
  fromName: string;
  fromAddress: string;
  /** The address for a person's answer. */
  replyTo: string;
  subject: string;
  messageId: string;
  references: string[];
  date: Date;
  text: string;
  html: string;
  header: (name: string) => string | undefined;
}

/** The values in which answers differ; tests fix them. */
export interface Making {
  now: Date;
  /** Unique, letters and digits: for Message-IDs, boundaries and queue ids. */
  id: string;
}

const LARGEST_COPY = 100_000;

export async function readOriginal(raw: Buffer, envelopeFrom: string, recipient: string): Promise<Original> {
  const email = await PostalMime.parse(raw, { maxNestingDepth: 50 });
  const header = (name: string): string | undefined => email.headers.find(({ key }) => key === name)?.value;
  const fromAddress = email.from?.address ?? envelopeFrom;
  const date = new Date(email.date ?? Number.NaN);
  return {
    raw,
    envelopeFrom,
    recipient,
    fromName: email.from?.name ?? '',
    fromAddress,
    replyTo: firstReplyTo(email) ?? fromAddress,
    subject: email.subject ?? '',
    messageId: email.messageId ?? '',
    references: email.references?.match(/<[^<>\s]+>/g) ?? [],
    date: Number.isNaN(date.getTime()) ? new Date(0) : date,
    text: email.text ?? '',
    html: email.html ?? '',
    header,
  };
}

function firstReplyTo(email: Email): string | undefined {
  return email.replyTo?.find((one) => one.address)?.address;
}

/** The message as bounces and complaints carry it along; a long one is cut. */
export function createCopy({ raw }: Original): string {
  return raw.subarray(0, LARGEST_COPY).toString('latin1');
}

/** Only its headers. */
export function parseHeaders(original: Original): string {
  const copy = createCopy(original);
  const end = copy.indexOf('\r\n\r\n');
  return end < 0 ? copy : copy.slice(0, end + 2);
}

/** `In-Reply-To` and `References` of an answer (RFC 5322, 3.6.4). */
export function threadHeaders({ messageId, references }: Original): [string, string][] {
  if (messageId === '') return [];
  return [
    ['In-Reply-To', messageId],
    ['References', [...references, messageId].join(' ')],
  ];
}

export function getDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
