import { type MailStage, type ServerWords } from '@adapters/mail';

/**
 * Whose fault a refusal for good (5xx) is. `recipient`: there is nobody at that address. `sender`: policy, reputation,
 * authentication, rate: the same would happen to any other email of the mailbox. `content`: this message. `unclear`: the
 * words do not say; nothing is concluded about the address.
 */
export type RefusalVerdict = 'recipient' | 'sender' | 'content' | 'unclear';

/**
 * Enhanced codes (RFC 3463, IANA registry) that say who is at fault by themselves. 5.1.8 and 5.1.7 are about the sender's
 * address although they begin like the recipient's; 5.7.x is policy whatever the server meant.
 */
const BY_ENHANCED_CODE: readonly [RegExp, RefusalVerdict][] = [
  [/^5\.1\.[78]$/, 'sender'],
  [/^5\.1\.(1|2|3|6|10)$/, 'recipient'],
  [/^5\.2\.1$/, 'recipient'],
  [/^5\.2\.3$|^5\.3\.4$/, 'content'],
  [/^5\.6\./, 'content'],
  [/^5\.7\./, 'sender'],
];

/** What servers write. The sender's faults come first: `550 5.1.1 … blocked using Spamhaus` exists. */
const BY_WORDS: readonly [RegExp, RefusalVerdict][] = [
  [
    /spam|blacklist|block(ed|list)|reputation|policy|dmarc|spf|dkim|authenticat|unauthori[sz]ed|relay|not permitted|rate limit|too many|throttl|poor|abuse|rbl|reverse dns|ptr record/i,
    'sender',
  ],
  [/too large|size (limit|exceed)|exceeds .{0,30}size|attachment|virus|malware|content (rejected|refused)/i, 'content'],
  [
    /(user|recipient|mailbox|address|account)\b.{0,40}\b(unknown|not found|does ?n[o']t exist|not exist|invalid|disabled|inactive|no longer|unavailable)|(unknown|invalid|no such)\b.{0,20}\b(user|recipient|mailbox|address|account|domain|person)|nobody here|does not have an? .{0,20}account|domain .{0,30}(not found|does ?n[o']t exist)|null mx/i,
    'recipient',
  ],
];

/**
 * Judges a refusal. A wrong `recipient` loses a customer's lead for good, so it takes a code or words that say it, and a
 * server that was asked about the recipient.
 */
export function refusalVerdict({ stage, words }: { stage: MailStage; words: ServerWords | null }): RefusalVerdict {
  if (!words) return 'unclear';
  const said = BY_WORDS.find(([pattern]) => pattern.test(words.response))?.[1];
  // Words about the sender outweigh a code about the recipient, never the other way round.
  if (said === 'sender' || stage === 'sender' || stage === 'login') return 'sender';
  if (words.code === '552' && !words.enhancedCode) return 'content';
  const coded = words.enhancedCode && BY_ENHANCED_CODE.find(([pattern]) => pattern.test(words.enhancedCode ?? ''))?.[1];
  const verdict = coded || said || 'unclear';
  return verdict === 'recipient' && stage !== 'recipient' && !coded ? 'unclear' : verdict;
}
