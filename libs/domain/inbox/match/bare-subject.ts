/**
 * Marks of replies and forwards in the languages of the usual clients, with a number (`Re[2]:`, `RE(3):`) and with the
 * full-width colon of Chinese clients. `[EXTERNAL]` and the like are what gateways put in front.
 */
const MARK =
  /^\s*(?:\[(?:ext|external|extern|externe|spam|warning|suspected spam)\]|(?:re|aw|sv|vs|antw|odp|ynt|res|rif|r|ref|rv|tr|fw|fwd|wg|vl|vb|doorst|i|enc|pd|ilt|továbbítás|vá|回复|回覆|答复|转发|轉寄|返信)\s*(?:\[\d{1,3}\]|\(\d{1,3}\))?\s*[:：])\s*/iu;

/** Marks that are taken off: nobody answers as often. */
const MOST_MARKS = 30;

/** A subject without what replies, forwards and gateways put in front of it, and without further blanks. */
export function bareSubject(subject: string): string {
  let bare = subject.replace(/\s+/g, ' ').trim();
  for (let taken = 0; taken < MOST_MARKS; taken += 1) {
    const shorter = bare.replace(MARK, '').trim();
    if (shorter === bare || shorter === '') break;
    bare = shorter;
  }
  return bare;
}

/** Whether two subjects are those of one thread. */
export function sameSubject(one: string, other: string): boolean {
  const bare = bareSubject(one).toLowerCase();
  return bare !== '' && bare === bareSubject(other).toLowerCase();
}
