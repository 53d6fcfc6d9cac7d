import { type TextRule } from './rule';

/** What may pass: the same mail might be taken another day, or a smaller one now. */
export const PASSING_RULES: readonly TextRule[] = [
  {
    name: 'mailbox-full',
    verdict: 'soft',
    pattern:
      /(?:mailbox|mail ?box|inbox|account|user|recipient|folder|mailfolder|maildir|storage|disk|box|mail drop|mailstore)[^.;]{0,40}\b(?:full|over ?(?:its |the |their )?(?:disk )?quota|overquota|out of (?:storage|space|disk)|over (?:its |the |their )?(?:maximum|size|limit|allotted))|full (?:mailbox|inbox|disk)|over ?quota|overquota|(?:disk|mail|mailbox|user|storage|allocated)?.?quota.{0,40}(?:exceed|violat|full|reached|limit)|exceed(?:s|ed|ing|ing)?.{0,40}(?:quota|storage|mailbox size|mail ?box|disk space|allocated space|receiving limits)|mailbox (?:size |has |would |is )?.{0,24}exceed|(?:not|in)[ -]?(?:enough|sufficient|suf+icient) .{0,20}(?:space|storage)|insufficient (?:disk|system|storage|mail)|no space left|(?:space|storage).{0,20}(?:used up|exhausted|full)|too many messages (?:on|in) (?:the |this )?(?:server|mailbox|folder)|too much mail data|out of storage|mailbox is at its limit|message count (?:quota|limit)|storage limit|mail system full|system full/,
  },
  {
    name: 'too-large',
    verdict: 'soft',
    fault: 'content',
    pattern:
      /(?:message|mail|e-?mail|attachment|body|size|it)[^.;]{0,30}\b(?:is |was )?(?:too (?:large|big|long)|larger than)|(?:message|mail|e-?mail|header|line|maximum|max)[^.;]{0,20}(?:size|length)[^.;]{0,30}(?:exceed|limit|too|larger|maximum)|exceed.{0,40}(?:maximum|max|fixed|message|mail)[^.;]{0,20}(?:size|length)|size limit|recipsizelimit|oversized?|databytes limit|exceeds? (?:the )?(?:maximum )?(?:allowed )?(?:message |mail )?size|taille limite/,
    unless: /queue/,
  },
  {
    name: 'greylisted',
    verdict: 'soft',
    pattern: /gr[ae]y[ -]?list|try again (?:later|in \d)|(?:try|retry) later|please retry|later retry|come back later/,
    unless: /greylist(?:ed|ing)? (?:passed|disabled)/,
  },
  {
    name: 'expired',
    verdict: 'soft',
    pattern:
      /(?:retry|queue|delivery|message|mail)[^.;]{0,30}\b(?:timeout|time-?out|expired|time expired|time limit)|timed? ?out|in the queue too long|too old|failing for a long time|long failure period|gave up|given up (?:on|trying)|undeliverable for \d|could not be delivered (?:for|in|within) .{0,24}(?:day|hour)|after multiple retries|maximum (?:retry|number of (?:delivery )?attempts)|not (?:been )?delivered within|retries exceeded|unable to deliver .{0,24}for \d+ (?:day|hour)|has been failing|exceeded retry|retry count|maximum delivery attempts|attempts (?:have )?(?:been )?exceeded|within the allowed queue period/,
    unless: /account (?:has )?expired|domain (?:has )?expired|user (?:has )?expired/,
  },
  {
    name: 'unreachable',
    verdict: 'soft',
    pattern:
      /connection (?:was )?(?:refused|reset|timed|lost|closed|dropped|failed|aborted|broken|terminated|expired)|lost connection|no route to host|(?:host|network|server|domain)[^.;]{0,40}\b(?:unreachable|not reachable|down|not respond|did ?n[o']t respond|is unavailable|not available)|could ?n[o']t (?:connect|contact|establish)|(?:unable|failed) to (?:connect|contact|establish)|cannot (?:connect|contact)|not able to (?:connect|establish)|wasn't able to establish|no answer from|conversation with|broken pipe|not responding|service (?:currently |temporarily )?(?:unavailable|not available)|socket error|remote host .{0,20}(?:not respond|did not)|esmtp not accepting/,
    unless: /mailbox unavailable/,
  },
  {
    name: 'dns-trouble',
    verdict: 'soft',
    pattern:
      /host not found, try again|(?:dns|name server|nameserver|mx|resolver|lookup|cname)[^.;]{0,40}\b(?:temporar|timeout|timed|failure|server failure|servfail|could not contact|problem|general failure|query failed|soft error|malformed)|temporary (?:lookup|failure in name|name)|host (?:name )?lookup (?:failed temporarily|failure)|unable to resolve route|could not contact dns/,
    unless: /nxdomain|non-?existent|does not exist|hard error/,
  },
  {
    name: 'loop',
    verdict: 'soft',
    pattern:
      /too many hops|hop count|maximum hop|hops? exceeded|exceeded \d+ hops|mail loop|routing loop|loops? back|(?:is|message|mail|forwarding) loop|looping|too many .?received.? headers|delivered-to line|forwarding (?:error|loop)|best-preference mx/,
  },
  {
    name: 'temporary',
    verdict: 'soft',
    pattern:
      /temporar(?:y|ily|ly)|not currently available|currently (?:unavailable|suspended|not|disabled|inactive|locked)|momentarily|resources? (?:are )?(?:temporarily )?(?:unavailable|exhausted|limited)|insufficient resources|deferred|receiving mail (?:too quickly|at a rate)|\bis receiving (?:mail|e-?mail)|local (?:error|problem|configuration error)|system config(?:uration)? error|internal (?:server )?error|server (?:configuration )?error|processing error|error in processing|write error|interrupted system call|unexpected error|server (?:is )?busy|maintenance|overload|database|ldap|cannot allocate|can't create (?:user )?output|permission denied|i\/o error|operating system error|misconfigured|out of memory|low on|delivery to (?:file|pipe) forbidden|command (?:died|failed|output|time)|mailer error|in transit|unable to verify (?:user|recipient|address)|unverified address|could not be verified|verification (?:in progress|timeout)|several matches|ambiguous|not unique|mailbox unavailable or access deni/,
  },
  {
    name: 'no-longer-now',
    verdict: 'soft',
    pattern:
      /(?:account|user|mailbox|recipient|address)[^.;]{0,40}\b(?:temporar|locked|frozen|limited|dormant|on vacation|pending|over the limit|not yet|unpaid|suspended for)/,
  },
];
