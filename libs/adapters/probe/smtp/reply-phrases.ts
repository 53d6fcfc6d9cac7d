/**
 * Phrases of servers at RCPT and before, in lower case, without codes, with `@` for addresses. The patterns run in linear time: no nested
 * repetition, and every gap is limited.
 */
export const PHRASES = {
  /** Phrases about us: our address, name, sender or rate. Such a reply says nothing about a recipient. */
  us: /spamhaus|spamcop|sorbs|barracudacentral|uceprotect|dnsbl|\brbl\b|(?:black|block|deny) ?list|\bspam|unsolicited|reputation|\bblocked (?:using|by|for|due|because)|banned|\byour (?:ip|host|server|network|domain|isp|address|helo|ehlo)|(?:client|sending|remote) (?:host|ip|server)|not accepting (?:mail|messages|connections) from|[?&]ip=\d|\bsender|mail from|return ?path|call-?out|callback|verification failed|reverse dns|\brdns\b|\bptr\b|dynamic ip|\bspf\b|\bdkim\b|\bdmarc\b|resource record|relay(?:ing)? (?:access |is )?(?:denied|not|prohibited)|(?:to|not|cannot|can't|don't) relay|rcpthosts|authenticat|starttls|\btls\b|encryption|\brate\b|throttl|too (?:many|fast)|slow down|suspicious|prohibit|polic(?:y|ies)\b/,
  /** Phrases about our behaviour: further probes are useless for now. */
  repelled:
    /spamhaus|spamcop|sorbs|barracudacentral|uceprotect|dnsbl|\brbl\b|(?:black|block|deny) ?list|reputation|banned|\byour (?:ip|host|server|network)|(?:client|sending|remote) (?:host|ip|server)|[?&]ip=\d|rate[ -]?limit|throttl|too (?:many|fast)|slow down|suspicious|server busy/,
  greylisted: /gr[ae]y ?-?list/,
  /** Phrases of greylisting and of other temporary faults. */
  later:
    /come back|(?:try|retry|again) (?:it )?(?:again )?(?:later|in \d|after)|please (?:try|retry)|temporarily (?:deferred|rejected)|\bdeferred/,
  /** Temporary faults of the server. */
  trouble:
    /local (?:problem|error)|look ?up|\bdns|ldap|database|timed? ?out|unverified|verif|insufficient|system|overload|busy|internal|unavailable/,
  full: /(?:mail ?box|inbox|account|user|recipient|storage|disk)[^.;]{0,40}\b(?:full|over ?(?:its |the )?(?:disk )?quota|out of storage)|over ?quota|quota.{0,40}(?:exceed|full|reached)|exceed.{0,40}(?:quota|storage)/,
  disabled:
    /(?:mail ?box|account|user|recipient|address|e-?mail)\b[^.;]{0,30}\b(?:disabled|deactivated|suspended|inactive|locked|blocked|closed|expired|on hold)|(?:disabled|deactivated|suspended|inactive) (?:mail ?box|account|user|recipient|address)/,
  unknown:
    /(?:unknown|no such|invalid|non-?exist[ae]nt|bad|illegal|unroute?able|unrecogni[sz]ed|not a valid|not a known) (?:or \w{1,12} )?(?:local |virtual |e-?mail |mail |destination )?(?:users?|recipients?|mail ?box(?:es)?|address|account|alias|person|here)|(?:user|recipient|mail ?box|address|account|alias|rcpt|@\)?>?:?)[^.;]{0,40}\b(?:unknown|not found|not known|does ?n[o']t exist|do ?n[o']t exist|not exist|could ?n[o']t be found|cannot be found|can't be found|not recogni[sz]ed|not listed|not here|not local|invalid|no longer (?:valid|exists|in use|available|active)|never existed)|(?:does not|doesn't|do not) exist|(?:does not|doesn't) have an? .{0,40}account|nobody (?:here|by)|no mailbox|mailbox (?:is )?unavailable|not our customer|recip(?:ient)? ?not ?found|p=nosuchuser|#5\.1\.[0-6]\b/,
  /** The same in other languages, without accents. */
  unknownAbroad:
    /(?:utilisateur|destinataire|boite|usuario|destinatario|buzon|benutzer|empfanger|empfaenger|postfach|utente|casella|gebruiker|uzytkownik)[^.;]{0,30}\b(?:inconnue?|inexistante?|invalide|desconocido|no existe|inexistente|unbekannt|nicht (?:gefunden|bekannt|vorhanden)|existiert nicht|sconosciut[oa]|onbekend|nie istnieje)|(?:unbekannter|ungultiger) (?:benutzer|empfanger)/,
} as const;

/** Combining accents, which `normalize` separates from their letters. */
const ACCENTS = /\p{M}+/gu;
const MAX_CLASSIFIED = 2_048;

/** Normalises a reply for the patterns. */
export function normalizeReply(reply: string): string {
  return reply
    .slice(0, MAX_CLASSIFIED)
    .replaceAll(/^[2-5]\d\d[ -]?(?:[245]\.\d{1,3}\.\d{1,3})?/gm, '')
    .normalize('NFD')
    .replaceAll(ACCENTS, '')
    .toLowerCase()
    .replaceAll(/[^\s<>"'()[\]:;,]{1,254}@[^\s<>"'()[\]:;,]{1,254}/g, '@')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const UNIT_MS: readonly (readonly [RegExp, number])[] = [
  [/^s/, 1_000],
  [/^m/, 60_000],
  [/^h/, 3_600_000],
];
const AS_DURATION =
  /\b(?:in|for|after|within|least) (?:another |at least )?(\d{1,5}) ?(s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/;
const AS_TIME = /\b(?:in|for|after|within) (\d{1,2}):(\d\d):(\d\d)\b/;

/** Milliseconds after which the server allows a retry; null when it does not state a time. */
export function parseRetryHint(text: string): number | null {
  const [, hours, minutes, seconds] = AS_TIME.exec(text) ?? [];
  if (seconds !== undefined) return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  const [, number, unit = ''] = AS_DURATION.exec(text) ?? [];
  if (number === undefined) return null;
  return Number(number) * (UNIT_MS.find(([pattern]) => pattern.test(unit))?.[1] ?? 1_000);
}
