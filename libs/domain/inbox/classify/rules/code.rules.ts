import { type BounceVerdict, type RefusalFault } from './rule';

interface CodeRule {
  readonly name: string;
  readonly verdict: BounceVerdict;
  readonly pattern: RegExp;
  /** Where it is not that of the verdict. */
  readonly fault?: RefusalFault;
}

/**
 * Enhanced codes (RFC 3463, the IANA registry, Microsoft's and Google's own) for answers whose words say nothing. The first
 * digit decides nothing but that 4 may pass. What is not listed stays soft: a wrong `hard` costs more than a right one earns.
 */
export const CODE_RULES: readonly CodeRule[] = [
  { name: 'code.temporary', verdict: 'soft', pattern: /^4\./ },
  { name: 'code.unknown-user', verdict: 'hard', pattern: /^5\.1\.(?:1|3|6|10|11)$/ },
  { name: 'code.unknown-domain', verdict: 'hard', pattern: /^5\.1\.2$|^5\.4\.310$/ },
  { name: 'code.sender', verdict: 'policy', pattern: /^5\.1\.(?:7|8|9|20|90)$/ },
  { name: 'code.disabled-account', verdict: 'hard', pattern: /^5\.2\.1$/ },
  { name: 'code.mailbox-full', verdict: 'soft', pattern: /^5\.2\.2$/ },
  { name: 'code.too-large', verdict: 'soft', fault: 'content', pattern: /^5\.2\.3$|^5\.3\.4$/ },
  // Exchange Online: the recipient gets too much.
  { name: 'code.receiving-rate', verdict: 'policy', fault: 'unclear', pattern: /^5\.2\.12[12]$/ },
  { name: 'code.sender-rate', verdict: 'policy', pattern: /^5\.4\.5$/ },
  { name: 'code.content', verdict: 'policy', fault: 'content', pattern: /^5\.6\./ },
  { name: 'code.policy', verdict: 'policy', pattern: /^5\.7\./ },
];

/** Codes about the sender that no words about a recipient outweigh. */
export const SENDER_CODE = /^5\.1\.(?:7|8|20|90)$|^[45]\.7\.(?:2\d|3[0-2]|40|[5-7]\d\d)$/;

/** Codes that speak against what is only hinted at; 5.1.0 is "other address status" (RFC 3463) and says nothing. */
export const AGAINST_HINTS = /^5\.(?:1\.0$|2\.[23]|3\.|4\.[2-9]|6\.|7\.)/;

/** SMTP replies (RFC 5321, 7504) that say something by themselves. */
export const REPLY_RULES: readonly CodeRule[] = [
  { name: 'reply.null-mx', verdict: 'hard', pattern: /^556$/ },
  { name: 'reply.authentication', verdict: 'policy', pattern: /^5(?:30|34|35|38)$/ },
];
