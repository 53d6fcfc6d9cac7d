/**
 * Prefixes of replies and forwards in the languages of common clients, also numbered (`Re[2]:`, `RE(3):`) or with the
 * full-width colon of Chinese clients. Gateways add prefixes such as `[EXTERNAL]`.
 */
const PREFIX =
  /^\s*(?:\[(?:ext|external|extern|externe|spam|warning|suspected spam)\]|(?:re|aw|sv|vs|antw|odp|ynt|res|rif|r|ref|rv|tr|fw|fwd|wg|vl|vb|doorst|i|enc|pd|ilt|továbbítás|vá|回复|回覆|答复|转发|轉寄|返信)\s*(?:\[\d{1,3}\]|\(\d{1,3}\))?\s*[:：])\s*/iu;

/** Most prefixes that are removed. */
const MAX_PREFIXES = 30;

/** Returns the subject without prefixes of replies, forwards and gateways, and without extra blanks. */
export function stripReplyPrefixes(subject: string): string {
  let bare = subject.replace(/\s+/g, ' ').trim();
  for (let taken = 0; taken < MAX_PREFIXES; taken += 1) {
    const shorter = bare.replace(PREFIX, '').trim();
    if (shorter === bare || shorter === '') break;
    bare = shorter;
  }
  return bare;
}

/** Whether two subjects belong to one thread. */
export function isSameSubject(one: string, other: string): boolean {
  const bare = stripReplyPrefixes(one).toLowerCase();
  return bare !== '' && bare === stripReplyPrefixes(other).toLowerCase();
}
