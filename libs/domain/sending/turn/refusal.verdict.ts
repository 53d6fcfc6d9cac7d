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

/**
 * What servers write; the first that fits counts. What would otherwise be taken for something else comes first, then the
 * sender's faults: `550 5.1.1 … blocked using Spamhaus` exists.
 */
const BY_WORDS: readonly [RegExp, RefusalVerdict][] = [
  [/content (presents|denied|rejected|refused)|because of its content|virus|malware|attachment/i, 'content'],
  // Closed groups, and people who get too much: neither is anybody's fault.
  [/NotAuthenticatedForGroup|RESOLVER\.RST\.\w*Restrict|delivery to this address is restricted/i, 'unclear'],
  [/receiving mail (too|at a rate)/i, 'unclear'],
  [
    /spam|(black|block) ?list|blocked|reputation|polic(y|ies)|dmarc|\bspf\b|dkim|authenticat|unauthori[sz]ed|not authori[sz]ed|relay|not permitted|abuse|\brbl\b|reverse dns|\bptr\b|unsolicited|unusual sending/i,
    'sender',
  ],
  [
    /rate.?limit|frequency limited|throttl|too many (connections|recipients|errors|messages (from|sent|per))|sending (limit|quota)|daily .{0,20}limit/i,
    'sender',
  ],
  [
    /\bsender\b.{0,25}\b(denied|rejected|verify|invalid|not|unknown|must)|bad outbound sender|SendAsDenied|send (mail )?as|\byour (e-?mail )?(account|mailbox|domain)\b|\b(helo|ehlo)\b/i,
    'sender',
  ],
  [
    /\bfull\b|over ?quota|quota (is )?exceeded|exceeded .{0,20}quota|storage (space|allocation)|too many messages/i,
    'unclear',
  ],
  [/too (large|big)|size (limit|exceed)|exceed.{0,40}\bsize\b/i, 'content'],
  [
    /\b(user|recipient|mailbox|address|account)\b.{0,40}\b(unknown|not found|does ?n[o']t exist|not exist|invalid|disabled|inactive|no longer)|\b(unknown|invalid|no such)\b.{0,20}\b(user|recipient|mailbox|address|account|domain|person)|nobody here|does ?n[o']t have an? .{0,20}account|domain .{0,30}(not found|does ?n[o']t exist|does not accept mail)|null ?mx|unrouteable address/i,
    'recipient',
  ],
];

/** Leaves no doubt, whatever code a server gives it: Yandex writes `550 5.7.1 No such user!`. */
const NOBODY =
  /no such (user|recipient|mailbox)|\b(user|recipient|mailbox)( is)? (unknown|not found|does ?n[o']t exist)|unknown (user|recipient)/i;

/** Addresses and links are no words: somebody's address may be `abuse@relay.example`. */
const NAMES = /<[^<>\s]*>|[^\s<>()]+@[^\s<>()]+|https?:\/\/\S+/g;

/**
 * Judges a refusal. A wrong `recipient` loses a customer's lead for good, so it takes a code or words that say it, and a
 * server that was asked about the recipient.
 */
export function refusalVerdict({ stage, words }: { stage: MailStage; words: ServerWords | null }): RefusalVerdict {
  if (!words) return 'unclear';
  const { code, enhancedCode } = words;
  const text = words.response.replace(NAMES, ' ');
  const said = BY_WORDS.find(([pattern]) => pattern.test(text))?.[1];
  const coded = enhancedCode === null ? undefined : BY_ENHANCED_CODE.find(([of]) => of.test(enhancedCode))?.[1];
  if (stage === 'sender' || stage === 'login') return 'sender';
  // Words about the sender or the message outweigh a code about the recipient, never the other way round.
  if (said === 'sender' || said === 'content' || said === 'unclear') return said;
  if (said === 'recipient' && coded === 'sender') return stage === 'recipient' && NOBODY.test(text) ? said : 'unclear';
  if (coded) return coded;
  if (said === 'recipient') return stage === 'recipient' ? said : 'unclear';
  return code === '552' && enhancedCode === null ? 'content' : 'unclear';
}
