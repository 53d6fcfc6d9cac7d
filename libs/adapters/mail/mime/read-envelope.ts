import { type MessageSummary } from '../port/changes';
import { getFingerprint } from '../port/fingerprint';

/** The list data of a message that is available only as bytes. */
export interface MessageEnvelope {
  readonly fingerprint: string;
  readonly summary: MessageSummary;
}

const HEADER_END = /\r?\n\r?\n/;

/** No input makes it fail. The parser is loaded with the first message. */
export async function readEnvelope(raw: Buffer): Promise<MessageEnvelope> {
  const { getImapSummary: summaryOf, SUMMARY_BYTES } =
    require('../imap/imap-summary') as typeof import('../imap/imap-summary');
  const start = raw.subarray(0, SUMMARY_BYTES);
  const end = HEADER_END.exec(start.toString('latin1'))?.index ?? start.length;
  const summary = await summaryOf(start.subarray(0, end));
  return { fingerprint: getFingerprint(summary, raw.length), summary };
}
