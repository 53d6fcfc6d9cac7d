import { type TextRule } from './rule';

/**
 * What one provider or program writes and no other, so that it says more than its words or its code do. Gmail's links name
 * the reason; Exchange has names for its own; others have numbers that their postmaster pages explain.
 */
export const PROVIDER_RULES: readonly TextRule[] = [
  { name: 'gmail.no-such-user', verdict: 'hard', full: true, pattern: /[?&]p=(?:nosuchuser|badrcptdomain)\b/ },
  { name: 'gmail.disabled-user', verdict: 'hard', full: true, pattern: /[?&]p=(?:disableduser|inactiveuser)\b/ },
  { name: 'gmail.over-quota', verdict: 'soft', full: true, pattern: /[?&]p=(?:overquota|receivingrate)/ },
  {
    name: 'gmail.sender-guidelines',
    verdict: 'policy',
    full: true,
    pattern:
      /[?&]p=(?:unsolicited|unauthenticated|blockedmessage|notauthorized|iperror|dmarc|rfcmessage|customfromdenied|spf|dkim|lowreputation|ipv6)|mail\/answer\/(?:81126|188131)|answer\/(?:81126|69585)\b/,
  },
  {
    name: 'exchange.recipient-not-found',
    verdict: 'hard',
    pattern: /resolver\.adr\.(?:ex)?recip(?:ient)? ?not ?found|resolver\.adr\.bad(?:recip|address)/,
  },
  { name: 'exchange.unknown-recipient-code', verdict: 'hard', pattern: /\(?000c05a6\)?/ },
  {
    name: 'exchange.no-such-domain',
    verdict: 'hard',
    pattern: /smtpsend\.dns\.nonexistentdomain|dns domain .{0,80}does not exist/,
  },
  // Directory-based edge blocking: the tenant does not know the recipient.
  {
    name: 'microsoft.edge-blocking',
    verdict: 'hard',
    full: true,
    pattern:
      /5\.4\.1\b.{0,90}recipient address rejected: access denied|recipient address rejected: access denied.{0,20}as\(20\d{6,7}\)/,
  },
  {
    name: 'microsoft.not-found-by-lookup',
    verdict: 'hard',
    pattern: /recipient (?:@ )?not found by smtp address lookup/,
  },
  {
    name: 'exchange.restricted-recipient',
    verdict: 'policy',
    fault: 'unclear',
    pattern: /resolver\.rst\.(?!recipsizelimit)\w+|not ?authenticatedforgroup|authenticationrequired|senderrestrict/,
  },
  {
    name: 'exchange.account-disabled',
    verdict: 'hard',
    full: true,
    pattern: /storedrv\..{0,80}account ?disabled|mapiexceptionaccountdisabled/,
  },
  {
    name: 'exchange.quota',
    verdict: 'soft',
    full: true,
    pattern: /storedrv\..{0,80}(?:quota|mailbox ?full|in ?transit|thread limit|mailbox ?offline|unavailable)/,
  },
  {
    name: 'exchange.outbound-spam',
    verdict: 'policy',
    pattern: /outboundspam|bad outbound sender|sendasdenied|wascl ?usersendingabuse/,
  },
  { name: 'exchange.queue-expired', verdict: 'soft', pattern: /queue\.expired/ },
  {
    name: 'microsoft.blocked-ip',
    verdict: 'policy',
    pattern: /\((?:as|s)3\d{3}\)|\bs3(?:140|150)\b|banned sending ip|banned sender/,
  },
  // Yahoo, AOL: TSS, BL and PH are about the sender; "dd" and 554.30 about the account.
  {
    name: 'yahoo.sender',
    verdict: 'policy',
    pattern: /\[(?:tss?\d{2}|bl\d{2}|ph\d{2}|gl\d{2}|rl\d{2})\]|\b(?:rtr|rly|hvu|dyn|con|dns):(?:bl|b\d|nw|t\d|ch)\b/,
  },
  { name: 'yahoo.no-account', verdict: 'hard', pattern: /this user does ?n[o']t have an? .{0,40}account/ },
  { name: 'yahoo.disabled', verdict: 'hard', pattern: /\(554\.30\)|account has been disabled or discontinued/ },
  // NetEase: RP, DT, HL, MI, IP, CO, SPM codes are about the sender.
  {
    name: 'netease.sender',
    verdict: 'policy',
    pattern:
      /\b(?:rp:(?:cel|trc|rat|qrc)|dt:(?:spm|sum)|hl:(?:rep|itc|ipb)|mi:(?:sfq|spb|dmc|ipb)|ip:(?:dnl|rbl)|co:rat)\b/,
  },
  // Orange, La Poste: the three digits behind LPN, OFR or OUK.
  { name: 'orange.no-such-user', verdict: 'hard', pattern: /\b(?:lpn|ofr|ouk)[a-z0-9]{0,4}[_-]?(?:416|418|420|426)\b/ },
  { name: 'orange.full', verdict: 'soft', pattern: /\b(?:lpn|ofr|ouk)[a-z0-9]{0,4}[_-]?417\b/ },
  {
    name: 'orange.sender',
    verdict: 'policy',
    pattern: /\b(?:lpn|ofr|ouk)[a-z0-9]{0,4}[_-]?(?:10[1-9]|20\d|305|4(?:0\d|15|21)|50[456]|51[0-37]|630|999)\b/,
  },
  // GoDaddy, Secureserver.
  { name: 'godaddy.sender', verdict: 'policy', pattern: /\bib(?:0\d\d|1\d\d|212|40[0-9]|50[0-9]|510|60\d|70\d)\b/ },
  { name: 'cox.sender', verdict: 'policy', pattern: /\bcx(?:bl|mxrt|tnt|dns|snd|phish|spm|thrt|mjob|spf)\b/ },
  { name: 'facebook.no-such-user', verdict: 'hard', pattern: /\brcp-p1\b/ },
  {
    name: 'facebook.sender',
    verdict: 'policy',
    pattern: /\b(?:pol-p\d|con-t\d|int-p\d|msg-p\d|dns-p\d|rcp-[pt][2-9])\b/,
  },
];
