import { type Reply } from '@adapters/mail';
import { type ProbeKind } from '../port/mailbox-probe.port';
import { parseRetryHint, PHRASES, normalizeReply } from './reply-phrases';

export interface ReplyVerdict {
  readonly kind: ProbeKind;
  /** The provider wants to be left alone by us, not by this recipient. */
  readonly repels: boolean;
  /** Milliseconds after which the server says that it may be asked again. */
  readonly hintMs: number | null;
}

/** Codes that speak of the command and not of the mailbox (RFC 5321, section 4.2.2). */
const ABOUT_COMMANDS: ReadonlySet<number> = new Set([500, 501, 502, 503, 504, 555]);
/** Enhanced codes that say of the address that it leads nowhere (RFC 3463, section 3.2; RFC 7505); 5.1.7 and 5.1.8 are of the sender. */
const NO_MAILBOX = /^5\.1\.(?:[0-4]|6|10)$/;

/**
 * What the answer to RCPT says of the mailbox. Words outweigh codes, and words about us outweigh all others: `550 5.1.1 … blocked
 * using Spamhaus` says nothing of the recipient. What is not understood says nothing of it either.
 */
export function classifyRecipientReply(reply: Reply): ReplyVerdict {
  const words = normalizeReply(reply.text);
  const kind = getKind(reply, words);
  const isAboutUs = kind === 'refused_us' || kind === 'busy';
  const repels = isAboutUs && (reply.code === 421 || PHRASES.repelled.test(words));
  return { kind, repels, hintMs: parseRetryHint(words) };
}

/** What a refusal before RCPT says: of the mailbox nothing. */
export function classifyGreeting(reply: Reply): ReplyVerdict {
  const { code } = reply;
  const words = normalizeReply(reply.text);
  const hintMs = parseRetryHint(words);
  // A server that does not speak SMTP, or answers with 2xx and 3xx where there are none, is not offended.
  if (code === null || code < 400 || ABOUT_COMMANDS.has(code)) return { kind: 'protocol', repels: false, hintMs };
  if (code >= 500) return { kind: 'refused_us', repels: true, hintMs };
  if (PHRASES.greylisted.test(words)) return { kind: 'greylisted', repels: false, hintMs };
  return { kind: PHRASES.repelled.test(words) ? 'refused_us' : 'busy', repels: true, hintMs };
}

function getKind(reply: Reply, words: string): ProbeKind {
  const { code } = reply;
  if (code === null || (code >= 300 && code < 400)) return 'protocol';
  if (code < 300) return 'accepted';
  if (code < 500) return toTemporaryKind(code, reply.enhancedCode, words);
  return toPermanentKind(code, reply.enhancedCode, words);
}

function toTemporaryKind(code: number, enhanced: string | null, words: string): ProbeKind {
  if (enhanced === '4.2.2' || PHRASES.full.test(words)) return 'full';
  if (PHRASES.greylisted.test(words)) return 'greylisted';
  // RFC 5321 has 452 for want of storage, or of room for more recipients.
  if (code === 421 || code === 452) return 'busy';
  if (PHRASES.repelled.test(words) || /\bsender\b/.test(words)) return 'refused_us';
  if (PHRASES.trouble.test(words)) return 'busy';
  const isPutOff = PHRASES.later.test(words) || enhanced === '4.7.1' || enhanced === '4.2.0' || words === '';
  return (code === 450 || code === 451) && isPutOff ? 'greylisted' : 'busy';
}

function toPermanentKind(code: number, enhanced: string | null, words: string): ProbeKind {
  if (PHRASES.us.test(words) || enhanced === '5.1.7' || enhanced === '5.1.8') return 'refused_us';
  if (enhanced === '5.2.2' || PHRASES.full.test(words)) return 'full';
  if (enhanced === '5.2.1' || PHRASES.disabled.test(words)) return 'disabled';
  if (PHRASES.unknown.test(words) || PHRASES.unknownAbroad.test(words)) return 'rejected';
  // Exchange Online reports an unknown recipient with the text of a policy.
  if (enhanced === '5.4.1' && /access denied/.test(words)) return 'rejected';
  if (enhanced === null && code === 552) return 'full';
  if (enhanced !== null && NO_MAILBOX.test(enhanced)) return 'rejected';
  return ABOUT_COMMANDS.has(code) ? 'protocol' : 'refused_us';
}
