import { type TextRule } from './rule';

const WHO =
  '(?:users?|recipients?|mailbox(?:es)?|mail ?box|address(?:es|ee)?|account|e-?mail(?: address| account| id)?|user ?name|user ?id|alias|subscriber|customer|member|person|employee|inbox|rcpt|destination|local ?part|final delivery userid|login)';

const gap = '[^.;:]{0,40}?';

/** Nobody is there, or nobody any more. Each leaves no doubt of its own; `judgeDiagnostic` looks for doubt before. */
export const RECIPIENT_RULES: readonly TextRule[] = [
  {
    name: 'null-mx',
    verdict: 'hard',
    pattern:
      /null ?mx|(?:domain|host)(?:\/domain)?(?: %)? (?:does not|doesn't|never) accepts? (?:e-?)?mail|indicated no smtp service|name server: \.: host not found|smtp service is not (?:offered|provided)|mail receiving disabled/,
  },
  {
    name: 'unknown-domain',
    verdict: 'hard',
    pattern:
      /\bnxdomain\b|host or domain name not found|(?:domain|host)(?: name)?(?: @| %| '?%'?| named %)?(?: is| was)? (?:unknown|not found|non-?existent|nonexistent|does ?n[o']t exist|invalid|could ?n[o']t be found|not known|not exist|isn't valid|must exist)|(?:unknown|no such|invalid|illegal|non-?existent|bad destination|can't find|cannot find|couldn't find (?:any|a)|could not find|recipient) (?:mail )?(?:host|domain|mail server|mail exchanger)\b(?!.{0,6}(?:try again|temporar))|name or service not known|dns error: (?:dns type .mx. lookup of .{0,60}responded with code nxdomain|domain name not found|dns server returned answer with no data)|no mail ?(?:hosts?|servers?|exchangers?) for|no mx (?:record|host)s?(?: found)?|(?:all )?relevant mx records (?:for .{0,40})?point to non-?existent|address lookups? failed permanently|(?:mail )?domain mentioned in .{0,30}unknown|no (?:dns|a|address) records?|illegal host\/domain|remote domain does ?n.?t exist|unable to route to domain|recipient domain (?:@ |% )?(?:not found|does)|could ?n.?t find the (?:recipient )?domain|weren't able to find the recipient domain|mx lookup of .{0,40}(?:nxdomain|no such)|domain .{0,30}(?:not registered|is a dead domain|has expired)/,
    unless: /sender|helo|ehlo|your domain|try again|from:/,
  },
  { name: 'unrouteable', verdict: 'hard', pattern: /unroute?able (?:address|mail domain)/ },
  {
    name: 'no-such-user',
    verdict: 'hard',
    pattern: new RegExp(
      `no such (?:local |e-?mail |smtp |mail )?${WHO}|no (?:user|one|person|account|mailbox|mail ?box|recipient|address|e-?mail)s? (?:by|with|of|at|under|for|found|exists?|available for|named|called)\\b.{0,24}(?:name|here|this|that|address|user|found|domain|%|@|$)|(?:nobody|no one|no-one|there is no ?(?:one|body|user|mailbox|account|such)) (?:here|at|with|by|named)|nobody here|no mailbox (?:here|found)|no such (?:person|name|object)|there is no such`,
    ),
    unless: /no such (?:user|account).{0,20}(?:password|login)|no such file/,
  },
  {
    name: 'unknown-user',
    verdict: 'hard',
    pattern: new RegExp(
      `\\b(?:unknown|non-?exist[ae]nt|inexist[ae]nt|unrecogni[sz]ed|undefined|unavailable or unknown|incorrect|wrong)(?: or (?:illegal|invalid|inactive))?(?: (?:local|virtual|e-?mail|mail|final|smtp|destination|recipient|rcpt|user))? ?-?${WHO}\\b(?! (?:error|status|reason|format))`,
    ),
  },
  {
    name: 'invalid-recipient',
    verdict: 'hard',
    pattern:
      /\b(?:invalid|illegal|bad|not a valid|no valid|isn't a valid|is not a valid|not an active|inactive|invalid or unknown|invalid\/inactive)(?: or (?:unknown|inactive|disabled))? (?:local |virtual |smtp |e-?mail |mail |destination |final )?(?:user|recipient|mail ?box|rcpt(?:to)?|alias|address(?:ee)?(?! syntax)|account|e-?mail|delivery userid|destination (?:e-?mail |mailbox )?address)s?\b(?! (?:credential|password|syntax|format|literal))|(?:recipient|user|mail ?box|address|account|rcpt)(?: @| %| name| address)? (?:is |was |are )?(?:invalid|illegal|not (?:a )?valid|not (?:an )?active|bad)\b|not (?:in|on) my (?:valid ?rcptto|list of (?:valid|allowed) recipients)|badrcptto|bad ?recipientto/,
    unless: /no valid recipients?,? ?(?:bye)?$|no valid recipients? \(/,
  },
  {
    name: 'user-not-known',
    verdict: 'hard',
    pattern: new RegExp(
      `\\b${WHO}\\b${gap}\\b(?:unknown|not found|could ?n[o']t be found|cannot be found|can't be found|not be found|was ?n[o']t found|were not found|not known|is ?n[o']t known|not recogni[sz]ed|not listed|not present|not registered|not exist|does ?n[o']t exist|do ?n[o']t exist|no existe|not a known|unrecogni[sz]ed|undeliverable address|not local|not in (?:our|the|my|directory|name)|isn't in|not our|no longer (?:valid|exists?|active|in use|available|used|here|works?|employed|with|on|accepts?|a valid|supported|in service|at this)|has (?:left|moved|changed)|does not have|never existed|is not at this|not at this)`,
    ),
    unless: /\bsender\b|address (?:of|list)|not found in (?:white|allow)|not recognized as/,
  },
  {
    name: 'address-not-known',
    verdict: 'hard',
    pattern:
      /(?:@\)?>?:?\.{0,3}|^[<"'(]?@[>"')]?) ?(?:is |was |has |are |were )?(?:been )?(?:unknown|not found|not known|does ?n[o']t exist|do not exist|could ?n[o']t be found|was ?n[o']t found|not exist|isn't known|is not known|no longer (?:exists|valid|in use|active|available|accepts|works)|invalid|not a valid|undeliverable|not recogni[sz]ed|not our customer|unrouteable)\b|wasn't found at %|(?:couldn't|could not|cannot|can't|unable to) (?:find|locate|look ?up|resolve) (?:the |any |an )?(?:@|user|recipient|mailbox|account|address|e-?mail)|(?:does not|doesn't) exist at the organi[sz]ation|account does not exist|not listed in .{0,40}(?:directory|address book|name)|(?:name|it) (?:is )?not (?:recogni[sz]ed|listed|found)(?! as)|not our customer|not a (?:customer|local (?:user|address|mailbox|domain user)|registered (?:user|gateway)|known (?:user|recipient|address)|user here)|does not exist (?:here|in|on|at)|address(?:es)? (?:couldn't|could not) be found|address not found|user (?:is )?not local|recipient not (?:ok|here)|can't accept user|\bwho are you talking about|unknown to (?:this|the) (?:system|server)|not known at this|destination addresses were unknown|no local mailbox|not (?:currently )?at this (?:domain|host|site|address)|is not (?:a )?(?:hosted|served) here/,
    unless: /\bsender\b|address not found in (?:white|allow)/,
  },
  {
    name: 'moved',
    verdict: 'hard',
    pattern:
      /has been replaced by|address (?:has )?(?:been )?changed|(?:user|recipient|he|she|person|mailbox) (?:has )?(?:moved|left (?:the )?(?:company|organi[sz]ation))|moved to a new address|no longer (?:employed|works? (?:here|for|at)|with the company|on server)/,
  },
  {
    name: 'disabled-account',
    verdict: 'hard',
    pattern:
      /(?:account|mail ?box|user|recipient|inbox|address|e-?mail|mailaddress|domain|rcpt)\b[^.;]{0,40}\b(?:disabled|deactivated|discontinued|terminated|closed|deleted|removed|cancelled|canceled|archived|inactive|suspended|retired|shut down|no longer active|not active|not enabled|expired|blocked|frozen|decommissioned|blackholed|out of service)|\b(?:disabled|deactivated|inactive|closed|archived|suspended|deleted|discontinued|expired) (?:user|account|mail ?box|recipient|address|e-?mail|domain)|suspend the service|administrativ\w{1,6} disabled|account is locked|no thank you rejected: account unavailable|is a deactivated/,
    unless:
      /temporar|try (?:again )?later|quota|exceed|your (?:account|domain|mailbox)|message (?:was |has been )?(?:deleted|removed)|mail (?:was |has been )?(?:deleted|removed)|blocked (?:by|from|due|for|using)|currently/,
  },
];

/** What mostly means that nobody is there, but not always: counts only with a final code that does not speak against it. */
export const RECIPIENT_HINTS: readonly TextRule[] = [
  // RFC 5321 has these words for 550, policy included; who documents them (Outlook.com, GMX, IONOS) means that nobody is there.
  {
    name: 'mailbox-unavailable',
    verdict: 'hard',
    pattern:
      /(?:mailbox|recipient|user|account)(?: @| is| was)? (?:unavailable|not available|unavaiable)|unavailable (?:mailbox|user|recipient)/,
    unless: /access denied|access denined|policy|unavailable or/,
  },
  {
    name: 'recipient-rejected',
    verdict: 'hard',
    coded: true,
    pattern:
      /(?:recipient|envelope recipient|user|rcpt)(?: address)?(?: @)?(?: is| was| has been)? (?:rejected|denied|not accepted|not allowed|refused)|(?:^|\D)5\.1\.0\b.{0,6}address rejected|address rejected[. ]{0,2}(?:@|$)|rejected (?:all )?recipients?|rejected address|not accept(?:ing|ed)? (?:this )?recipient|recipient mailbox is not allowed|no valid recipients?|undeliverable (?:address|recipient)|delivery (?:to this address|address) (?:is )?(?:invalid|impossible)/,
    unless: /polic|spam|content|message size|denied by|relay|try again/,
  },
];
