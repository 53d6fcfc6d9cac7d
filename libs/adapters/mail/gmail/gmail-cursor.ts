/**
 * The position of a sync in Gmail's history: all changes up to `historyId` are reported, and `done` changes after it. While the
 * mailbox is read for the first time, or again, `listing` is the position in the list; the history since `historyId` follows.
 */
export interface GmailCursor {
  readonly historyId: string;
  readonly done: number;
  readonly listing: Listing | null;
}

export interface Listing {
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The last processed message in the order of `compareByAge`; null at the start. */
  readonly after: string | null;
  /** The history had expired: messages may be reported again. */
  readonly isRestart: boolean;
}

interface Written {
  readonly v: 1;
  readonly h: string;
  readonly d?: number;
  readonly l?: { readonly s: number; readonly a?: string; readonly n?: 1 };
}

export function formatGmailCursor({ historyId, done, listing }: GmailCursor): string {
  const written: Written = {
    v: 1,
    h: historyId,
    ...(done > 0 ? { d: done } : {}),
    ...(listing
      ? {
          l: {
            s: listing.since,
            ...(listing.after === null ? {} : { a: listing.after }),
            ...(listing.isRestart ? { n: 1 as const } : {}),
          },
        }
      : {}),
  };
  return JSON.stringify(written);
}

/** Returns null for a cursor that this driver has not written: then the mailbox is read again. */
export function parseGmailCursor(text: string): GmailCursor | null {
  try {
    const { v, h, d = 0, l } = JSON.parse(text) as Partial<Written>;
    if (v !== 1 || typeof h !== 'string' || !/^\d+$/.test(h) || !Number.isSafeInteger(d) || d < 0) return null;
    if (l === undefined) return { historyId: h, done: d, listing: null };
    if (typeof l.s !== 'number' || (l.a !== undefined && typeof l.a !== 'string')) return null;
    return { historyId: h, done: 0, listing: { since: l.s, after: l.a ?? null, isRestart: l.n === 1 } };
  } catch {
    return null;
  }
}

/**
 * Orders message ids, which are hexadecimal numbers that grow with time. The order has to be stable: Gmail does not guarantee the order of
 * a list, and messages disappear from it between two requests.
 */
export function compareByAge(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : Number(a > b);
}
