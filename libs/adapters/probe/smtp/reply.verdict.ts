import { type Reply } from '@adapters/mail';
import { type ProbeKind } from '../port/mailbox.probe';
import { hintIn, WORDS, wordsIn } from './reply.words';

export interface ReplyVerdict {
  readonly kind: ProbeKind;
  /** The provider wants to be left alone by us, not by this recipient. */
  readonly repels: boolean;
  /** Milliseconds after which the server says that it may be asked again. */
  readonly hintMs: number | null;
}

/** Codes that speak of the command and not of the mailbox (RFC 5321, section 4.2.2). */
const ABOUT_COMMANDS: ReadonlySet<number> = new Set([500, 501, 502, 503, 504, 555]);
/** Enhanced codes that speak of the mailbox (RFC 3463, sections 3.2 and 3.3); 5.1.7 and 5.1.8 are of the sender. */
const NO_MAILBOX = /^5\.1\.(?:0|1|2|3|4|6|10)$/;
const OF_THE_SENDER = /^[45]\.(?:1\.[78]|7\.\d+)$/;

/**
 * What the answer to RCPT says of the mailbox. Words outweigh codes, and words about us outweigh all others: `550 5.1.1 … blocked
 * using Spamhaus` says nothing of the recipient. What is not understood says nothing of it either.
 */
export function judgeRecipient(reply: Reply): ReplyVerdict {
  const words = wordsIn(reply.text);
  const kind = kindOf(reply, words);
  const isLeaving = reply.code === 421;
  const repels = isLeaving || (WORDS.repelled.test(words) && (kind === 'refused_us' || kind === 'busy'));
  return { kind, repels, hintMs: hintIn(words) };
}

/** What a refusal before RCPT says: of the mailbox nothing. */
export function judgeOpening(reply: Reply): ReplyVerdict {
  const { code } = reply;
  const words = wordsIn(reply.text);
  const hintMs = hintIn(words);
  // A server that does not speak SMTP, or answers with 2xx and 3xx where there are none, is not offended.
  if (code === null || code < 400 || ABOUT_COMMANDS.has(code)) return { kind: 'protocol', repels: false, hintMs };
  if (code >= 500) return { kind: 'refused_us', repels: true, hintMs };
  if (/gr[ae]y ?-?list/.test(words)) return { kind: 'greylisted', repels: false, hintMs };
  return { kind: WORDS.repelled.test(words) ? 'refused_us' : 'busy', repels: true, hintMs };
}

function kindOf(reply: Reply, words: string): ProbeKind {
  const { code } = reply;
  if (code === null || (code >= 300 && code < 400)) return 'protocol';
  if (code < 300) return 'accepted';
  if (code < 500) return temporary(code, reply.enhancedCode, words);
  return permanent(code, reply.enhancedCode, words);
}

function temporary(code: number, enhanced: string | null, words: string): ProbeKind {
  if (enhanced === '4.2.2' || WORDS.full.test(words)) return 'full';
  if (code === 421) return 'busy';
  if (/gr[ae]y ?-?list/.test(words)) return 'greylisted';
  if (WORDS.repelled.test(words)) return 'refused_us';
  if (code === 452 || WORDS.trouble.test(words)) return 'busy';
  const isPutOff = WORDS.greylisted.test(words) || enhanced === '4.7.1' || enhanced === '4.2.0' || words === '';
  return (code === 450 || code === 451) && isPutOff ? 'greylisted' : 'busy';
}

function permanent(code: number, enhanced: string | null, words: string): ProbeKind {
  const saysUnknown = WORDS.unknown.test(words);
  // Exchange Online names a policy where its directory has nobody: 550 5.4.1 Recipient address rejected: Access denied.
  if (WORDS.us.test(words)) return 'refused_us';
  if (enhanced === '5.2.2' || code === 552 || WORDS.full.test(words))
    return enhanced === '5.3.4' ? 'refused_us' : 'full';
  if (enhanced === '5.2.1' || WORDS.disabled.test(words)) return 'disabled';
  if (saysUnknown) return 'rejected';
  if (ABOUT_COMMANDS.has(code) && enhanced !== '5.1.3') return 'protocol';
  if (enhanced === null || OF_THE_SENDER.test(enhanced)) return 'refused_us';
  return NO_MAILBOX.test(enhanced) ? 'rejected' : 'refused_us';
}
