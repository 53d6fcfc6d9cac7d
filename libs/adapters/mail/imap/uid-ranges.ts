/** UIDs from `low` to `high`, both included. */
export interface UidRange {
  readonly low: number;
  readonly high: number;
}

/** Parses `1:3,7,12:10` and skips invalid parts. Ranges are not expanded, because a server may name millions. */
export function getRanges(text: string): UidRange[] {
  return text.split(',').flatMap((part) => {
    const ends = /^(\d{1,10})(?::(\d{1,10}))?$/.exec(part.trim());
    if (!ends) return [];
    const first = Number(ends[1]);
    const last = Number(ends[2] ?? ends[1]);
    return [{ low: Math.min(first, last), high: Math.max(first, last) }];
  });
}

/** The UIDs of ranges between two bounds (both included), ascending and without repetition, at most `most` of them. */
export function listUidsWithin(ranges: readonly UidRange[], low: number, high: number, most: number): number[] {
  const uids: number[] = [];
  let next = low;
  for (const range of [...ranges].sort((a, b) => a.low - b.low)) {
    for (let uid = Math.max(range.low, next); uid <= Math.min(range.high, high) && uids.length < most; uid++) {
      uids.push(uid);
      next = uid + 1;
    }
  }
  return uids;
}

/** Writes ascending UIDs as a sequence set: `1:3,7`. */
export function toSequenceSet(uids: readonly number[]): string {
  const parts: string[] = [];
  for (let index = 0; index < uids.length;) {
    const first = uids[index] as number;
    let last = first;
    while (uids[index + 1] === last + 1) last = uids[++index] as number;
    parts.push(first === last ? String(first) : `${first}:${last}`);
    index += 1;
  }
  return parts.join(',');
}
