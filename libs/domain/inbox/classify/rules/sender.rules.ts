import { type TextRule } from './rule';

const LISTS =
  /spamhaus|spamcop|barracudacentral|sorbs|uceprotect|invaluement|mailspike|senderscore|spamrats|abuseat\.org|njabl|dnsbl|\brbl\b|surbl|uribl|backscatterer|psbl|cloudmark|trustedsource|abusix|mxtoolbox|ipcheck\.proofpoint|cidr\.bl|dul\b|multi-?blacklist|blacklist|black ?list|block ?list|deny ?list/;

/**
 * The sender's fault, said so that it outweighs whatever else the answer says of the recipient: `550 5.1.1 … blocked using
 * Spamhaus` says nothing of the recipient.
 */
export const SENDER_RULES: readonly TextRule[] = [
  // Whom somebody lets write to them is their own affair.
  {
    name: 'not-on-a-list',
    verdict: 'policy',
    fault: 'unclear',
    pattern: /sender (?:is )?not pre-approved|not on the recipient's list|not subscribed|not allowed to post/,
  },
  {
    name: 'sender-verification',
    verdict: 'policy',
    pattern:
      /sender verif|verif(?:ication|y) (?:failed|of).{0,40}sender|callback (?:setup )?failed|sender (?:address )?(?:@ )?(?:is |was |has been )?(?:could not|cannot|not|rejected|refused|denied|invalid|unknown|blocked|unroutable)|(?:unroutable|invalid|unknown|bad|illegal|bogus|null|empty) (?:mail )?(?:envelope )?sender|sender domain|domain of sender|sender'?s? (?:e-?mail )?address (?:domain|rejected|has|does|is not)|emetteur invalide|verification failed for @/,
    unless: /sender (?:address )?(?:is )?not (?:able|being)/,
  },
  {
    name: 'sender-not-allowed',
    verdict: 'policy',
    pattern:
      /mail ?from (?:@ )?(?:refused|rejected|not owned|denied|domain)|not owned by user|not (?:authorized|authorised|allowed|permitted) to send|not allowed to send|send(?:ing)? (?:mail )?(?:as|on behalf)\b|(?:in reply to|at) mail from|reply to mail from|badmailfrom|badmailfromto|in my bad ?mail ?from|sender (?:is )?spammer|address (?:is )?not verified|does not accept mail from/,
  },
  {
    name: 'authentication',
    verdict: 'policy',
    pattern:
      /\bspf\b|\bdkim\b|\bdmarc\b|\barc\b.{0,10}fail|sender policy framework|domainkeys|unauthenticated|not authenticated|authenticat(?:e|ion) (?:required|checks?|fail|is required|information|credentials|not)|(?:require|without|lack|pass|must).{0,12}authenticat|authentication required|smtp auth|starttls (?:is )?required|must issue a starttls|tls (?:is )?required|requires? (?:tls|encryption)|invalid credentials/,
  },
  {
    name: 'block-list',
    verdict: 'policy',
    full: true,
    pattern: LISTS,
    unless: /(?:not|isn't) (?:on|in) (?:a|any|our) black ?list/,
  },
  {
    name: 'blocked-client',
    verdict: 'policy',
    pattern:
      /(?:client )?host (?:@ |% |\[?[\d.:a-f]{7,45}\]? )?(?:rejected|blocked|denied|not allowed)|blocked (?:using|by|for|due|because|at|from)|(?:ip|ip address|server|network|connection|domain|sender|your (?:e-?mail )?address)[^.]{0,60}(?:is|was|has been|been|are) (?:temporarily |currently |permanently )?(?:block|ban|refus|reject|list|restrict|prohibit)|banned|your (?:ip|server|network|host|domain|isp|access)\b|sending ip|(?:bad|invalid) (?:sender )?ip\b|dynamic ip|hosts? with dynamic|you are not allowed to connect|not accepting (?:mail|connections) from|access from ip|no access from|connections? (?:refused|rejected|not accepted|will not be accepted) (?:by policy|from|due|because)|part of their network|open (?:proxy|relay)|:blocked\)|message from .{0,40}rejected based/,
    unless: /blocked by (?:the )?(?:recipient|user)'?s? (?:mailbox|quota)|because (?:of )?its content/,
  },
  {
    name: 'reputation',
    verdict: 'policy',
    pattern:
      /reputation|poor (?:sender|ip|domain|e-?mail)|sender ?score|user complaints|spam complaints|suspicious|unusual (?:rate|sending|activity|volume)|compromised|abus(?:e|ive)\b(?! ?@)/,
  },
  {
    name: 'reverse-dns',
    verdict: 'policy',
    pattern:
      /reverse (?:dns|lookup|name)|\brdns\b|\bptr\b|\b(?:helo|ehlo)\b.{0,40}(?:reject|invalid|not|refus|bad|require|argument)|(?:bad|invalid|your) (?:helo|ehlo)/,
  },
  {
    name: 'relay-denied',
    verdict: 'policy',
    pattern:
      /relay(?:ing)? ?(?:access |mail |is |was |has been |operation )?(?:denied|not (?:permitted|allowed|authorized|authorised|enabled)|disallowed|prohibited|rejected|refused|forbidden)|(?:unable|not (?:permitted|allowed|configured|authorized)|cannot|can't|do not|don't|does not|won't|refuse) (?:to )?relay|no relay|as a relay|not an? open relay|mail relay|list of allowed rcpthosts|(?:not|don't|do not) (?:a gateway|handle mail for)|relaying to .{0,40}(?:prohibited|denied)|account outbounds? disabled/,
  },
  {
    name: 'spam',
    verdict: 'policy',
    pattern:
      /(?:as|like|be|considered|possible|probable|suspected|detected|likely|contains?|seems|identified|no|high probability of|due to|for|to be|of|is|potential|known) (?:a |an )?(?:potential )?(?:unsolicited|spam|junk|bulk|phish)|spam[ -]?(?:mail|message|content|detect|reject|block|filter|score|check|like|refus|points|engine|threshold|found|list|email|policy|rate|signature|bot|complaint|trap|virus)|anti-?spam|unsolicited|\buce\b|spamming|spamassassin|mail score|bulk ?(?:mail|email)|mass mail|junk mail|- spam|this message scored|dspam|phishing|mailscanner/,
    unless: /not (?:considered|recognized|identified|detected) as spam|not spam\b|no spam (?:was )?(?:found|detected)/,
  },
  {
    name: 'content',
    verdict: 'policy',
    fault: 'content',
    pattern:
      /\bvirus(?:es)?\b|malware|trojan|infected|attachments?\b.{0,40}(?:not allowed|blocked|prohibited|reject|type|illegal|banned|forbidden)|(?:illegal|prohibited|banned|forbidden|executable) (?:attachment|content|file)|content (?:was |is |presents |filter |denied|rejected|refused|violat|reject|not)|(?:because of|due to|unacceptable|objectionable|rejecting(?: banned| mail)?|message|mail) content|its content|not rfc ?\d+|rfc ?(?:822|2822|5322) compliant|header (?:error|.{0,20}not accepted)|(?:invalid|malformed|duplicate|missing|multiple|bad) (?:message |mail |mime |from |date |subject )?headers?|bare (?:lf|cr|line)|stray linefeeds|improperly-formatted|invalid message content|dangerous|too many hyperlinks|8-?bit/,
    unless: /x-unix/,
  },
  {
    name: 'sender-rate',
    verdict: 'policy',
    pattern:
      /rate[ -]?limit|rate control|throttl|frequency (?:limit|of)|(?:too many|number of) (?:connections?|concurrent|sessions|errors|invalid|bad|unknown|recipients (?:received|this)|messages (?:from|sent|per|received)|mails? (?:from|sent|per)|emails? (?:from|sent|per))|(?:sending|send|daily|hourly|outbound|outgoing) .{0,24}(?:limit|quota)|max(?:imum)? (?:emails|messages|defers|sends?) (?:and failures )?per|per hour|try again slower|slow down|unexpected volume|exceed.{0,40}(?:messages|emails|mails|recipients) (?:per|sent|in)|sent too many|excessive (?:rate|number)|limit on the (?:number|rate)|trop de connexions|outgoing (?:mail|message).{0,30}suspended/,
    unless: /user (?:you are trying to contact )?is receiving|mailbox|recipient .{0,20}(?:limit|quota)/,
  },
  {
    name: 'your-account',
    verdict: 'policy',
    pattern:
      /your (?:e-?mail )?(?:account|mailbox|domain|company)\b.{0,40}(?:disabled|suspended|limit|block|not|expired|restricted|has been|is)/,
  },
  {
    name: 'closed-group',
    verdict: 'policy',
    fault: 'unclear',
    pattern:
      /members?-only|by non-?member|not a member|only (?:members|subscribers|accept|allowed)|closed (?:mailing )?list|(?:group|list) you tried to contact|restricted (?:to|from|recipient|address)|delivery to this address is restricted|(?:user|recipient|member) (?:has )?(?:refuses|blocked|rejects|blocks)\b|user reject\b|blocked by (?:the )?(?:recipient|user)|rejected by (?:the )?recipient|recipient preferences|user rules|not accepting (?:mail|messages?) with|(?:recipient|they)(?:'s)? (?:is |are )?(?:only accepting|does not (?:wish|want|accept)|doesn't (?:wish|want|accept)|not accepting)|you have been blocked|do(?:es)? not have permission|don't have permission|permission to (?:send|post)|challenge|confirm (?:that )?you/,
  },
];

/** Words that blame the sender where nothing says more: they come behind what is said of the recipient. */
export const SENDER_HINTS: readonly TextRule[] = [
  {
    name: 'policy-words',
    verdict: 'policy',
    pattern:
      /polic(?:y|ies)|prohibit|not (?:authorized|authorised|permitted|trusted)|unauthorized|unauthorised|blocked|spam|violat|bounce attack/,
    unless: /recipient (?:address )?(?:@ )?rejected/,
  },
  {
    name: 'refusal-words',
    verdict: 'policy',
    fault: 'by-code',
    pattern:
      /(?:access|permission|transaction|delivery|connection|request|mail|message|e-?mail) (?:was |is |has been )?(?:denied|refused|forbidden|rejected)|rejected (?:for|due|because|by)|not (?:allowed|accepted)|security|filter|forbidden|denied|firewall|go away|quarantin|accepted for|unwanted|protocol error/,
    unless: /recipient (?:address )?(?:@ )?rejected/,
  },
];
