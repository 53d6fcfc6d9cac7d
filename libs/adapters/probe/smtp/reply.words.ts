/**
 * What servers say at RCPT and before, in lower case, without the codes, with `@` for addresses. Each pattern is written so that its
 * time grows with the text only: no repetition inside a repetition, every gap has a limit.
 */
export const WORDS = {
  /** They mean us: our address, our name, our sender, our pace. Says nothing about a recipient, whatever else is said. */
  us: /spamhaus|spamcop|sorbs|barracuda|uceprotect|dnsbl|\brbl\b|(?:black|block|deny) ?list|\bspam|reputation|blocked|banned|your (?:ip|host|server|network|domain|isp|address|helo|ehlo)\b|(?:client|sending|remote) (?:host|ip|server)|sender|mail from|return path|null reverse|callback|call-?out|verification failed|reverse dns|\brdns\b|\bptr\b|dynamic ip|\bspf\b|\bdkim\b|\bdmarc\b|relay|authenticat|starttls|\btls\b|encryption|rate|throttl|too (?:many|fast)|slow down|not accepting|suspicious|prohibited|policy/,
  /** Of those, what is about our recent behaviour: there is no use in going on now. */
  repelled:
    /spamhaus|spamcop|sorbs|barracuda|uceprotect|dnsbl|\brbl\b|(?:black|block|deny) ?list|reputation|banned|your (?:ip|host|server|network)\b|(?:client|sending|remote) (?:host|ip|server)|\brate\b|rate[ -]?limit|throttl|too (?:many|fast)|slow down|suspicious/,
  greylisted:
    /gr[ae]y ?-?list|come back|(?:try|retry|again) (?:again )?(?:later|in \d|after)|please (?:try|retry)|temporar(?:y|ily) (?:deferred|rejected)|deferred/,
  /** Trouble of their own, which the same words are used for. */
  trouble:
    /local (?:problem|error)|lookup|dns|ldap|database|timed? ?out|unverified|verif|insufficient|system|overload|busy|internal|unavailable/,
  full: /(?:mail ?box|inbox|account|user|recipient|storage|disk)[^.;]{0,40}\b(?:full|over ?(?:its |the )?(?:disk )?quota|out of storage)|over ?quota|quota.{0,40}(?:exceed|full|reached)|exceed.{0,40}(?:quota|storage)/,
  disabled:
    /(?:mail ?box|account|user|recipient|address|e-?mail)\b[^.;]{0,30}\b(?:disabled|deactivated|suspended|inactive|locked|blocked by the administrator|closed|expired|on hold)|(?:disabled|deactivated|suspended|inactive) (?:mail ?box|account|user|recipient|address)/,
  unknown:
    /(?:unknown|no such|invalid|non-?exist[ae]nt|bad|illegal|unrouteable|unroutable|unrecogni[sz]ed) (?:or \w{1,12} )?(?:local |virtual |e-?mail |mail |destination )?(?:users?|recipients?|mail ?box(?:es)?|address|account|alias|person|here)|(?:user|recipient|mail ?box|address|account|alias|rcpt|@\)?>?:?)[^.;]{0,40}\b(?:unknown|not found|not known|does ?n[o']t exist|do ?n[o']t exist|not exist|could ?n[o']t be found|cannot be found|can't be found|not recogni[sz]ed|not listed|not here|invalid|no longer (?:valid|exists|in use|available|active)|never existed|inconnu|inexistant|desconocido|no existe|unbekannt|existiert nicht|sconosciuto|inesistente|onbekend|nieznany)|(?:does not|doesn't|do not) exist|nobody (?:here|by)|no mailbox|mailbox (?:is )?unavailable|not our customer|recipnotfound|recipient not ?found|p=nosuchuser|recipient address rejected: access denied|(?:utilisateur|destinataire|usuario|destinatario|benutzer|empfaenger|utente|casella)[^.;]{0,30}\b(?:inconnu|inexistant|desconocido|unbekannt|sconosciut[oa]|inesistente|no existe)|inconnu a cette adresse/,
} as const;

/** Marks of accents, as `normalize` takes them from their letters. */
const ACCENTS = /\p{M}+/gu;
const MAX_JUDGED = 2_048;

/** The text as the patterns want it. */
export function wordsIn(reply: string): string {
  return reply
    .slice(0, MAX_JUDGED)
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
const IN_WORDS =
  /\b(?:in|for|after|within|least) (?:another |at least )?(\d{1,5}) ?(s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/;
const AS_TIME = /\b(?:in|for|after|within) (\d{1,2}):(\d\d):(\d\d)\b/;

/** Milliseconds after which the server says that it may be asked again; null where it does not say. */
export function hintIn(words: string): number | null {
  const [, hours, minutes, seconds] = AS_TIME.exec(words) ?? [];
  if (seconds !== undefined) return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  const [, number, unit = ''] = IN_WORDS.exec(words) ?? [];
  if (number === undefined) return null;
  return Number(number) * (UNIT_MS.find(([pattern]) => pattern.test(unit))?.[1] ?? 1_000);
}
