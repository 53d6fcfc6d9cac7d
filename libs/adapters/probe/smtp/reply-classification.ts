import { type Reply } from '@adapters/mail';
import { type ProbeKind } from '../port/mailbox-probe.port';
import { parseRetryHint, PHRASES, normalizeReply } from './reply-phrases';

export interface ReplyVerdict {
  readonly kind: ProbeKind;
  /** The refusal concerns us, not this recipient: the provider needs a cooldown. */
  readonly repels: boolean;
  /** Milliseconds after which the server allows a retry. */
  readonly hintMs: number | null;
}

/** Codes that concern the command, not the mailbox (RFC 5321, section 4.2.2). */
const ABOUT_COMMANDS: ReadonlySet<number> = new Set([500, 501, 502, 503, 504, 555]);
/** Enhanced codes of an invalid recipient (RFC 3463, section 3.2; RFC 7505); 5.1.7 and 5.1.8 concern the sender. */
const NO_MAILBOX = /^5\.1\.(?:[0-4]|6|10)$/;

/**
 * Classifies the reply to RCPT. Phrases outweigh codes, and phrases about us outweigh all others: `550 5.1.1 … blocked using Spamhaus` is
 * inconclusive about the recipient, like any unknown reply.
 */
export function classifyRecipientReply(reply: Reply): ReplyVerdict {
  const text = normalizeReply(reply.text);
  const kind = getKind(reply, text);
  const isAboutUs = kind === 'refused_us' || kind === 'busy';
  const repels = isAboutUs && (reply.code === 421 || PHRASES.repelled.test(text));
  return { kind, repels, hintMs: parseRetryHint(text) };
}

/** Classifies a refusal before RCPT, which is inconclusive about the mailbox. */
export function classifyGreeting(reply: Reply): ReplyVerdict {
  const { code } = reply;
  const text = normalizeReply(reply.text);
  const hintMs = parseRetryHint(text);
  // A server without valid SMTP, or with unexpected 2xx and 3xx, needs no cooldown.
  if (code === null || code < 400 || ABOUT_COMMANDS.has(code)) return { kind: 'protocol', repels: false, hintMs };
  if (code >= 500) return { kind: 'refused_us', repels: true, hintMs };
  if (PHRASES.greylisted.test(text)) return { kind: 'greylisted', repels: false, hintMs };
  return { kind: PHRASES.repelled.test(text) ? 'refused_us' : 'busy', repels: true, hintMs };
}

function getKind(reply: Reply, text: string): ProbeKind {
  const { code } = reply;
  if (code === null || (code >= 300 && code < 400)) return 'protocol';
  if (code < 300) return 'accepted';
  if (code < 500) return toTemporaryKind(code, reply.enhancedCode, text);
  return toPermanentKind(code, reply.enhancedCode, text);
}

function toTemporaryKind(code: number, enhanced: string | null, text: string): ProbeKind {
  if (enhanced === '4.2.2' || PHRASES.full.test(text)) return 'full';
  if (PHRASES.greylisted.test(text)) return 'greylisted';
  // RFC 5321 uses 452 for insufficient storage or too many recipients.
  if (code === 421 || code === 452) return 'busy';
  if (PHRASES.repelled.test(text) || /\bsender\b/.test(text)) return 'refused_us';
  if (PHRASES.trouble.test(text)) return 'busy';
  const isPutOff = PHRASES.later.test(text) || enhanced === '4.7.1' || enhanced === '4.2.0' || text === '';
  return (code === 450 || code === 451) && isPutOff ? 'greylisted' : 'busy';
}

function toPermanentKind(code: number, enhanced: string | null, text: string): ProbeKind {
  if (PHRASES.us.test(text) || enhanced === '5.1.7' || enhanced === '5.1.8') return 'refused_us';
  if (enhanced === '5.2.2' || PHRASES.full.test(text)) return 'full';
  if (enhanced === '5.2.1' || PHRASES.disabled.test(text)) return 'disabled';
  if (PHRASES.unknown.test(text) || PHRASES.unknownAbroad.test(text)) return 'rejected';
  // Exchange Online reports an unknown recipient with the text of a policy.
  if (enhanced === '5.4.1' && /access denied/.test(text)) return 'rejected';
  if (enhanced === null && code === 552) return 'full';
  if (enhanced !== null && NO_MAILBOX.test(enhanced)) return 'rejected';
  return ABOUT_COMMANDS.has(code) ? 'protocol' : 'refused_us';
}
