/** The reported state of one folder. The cursor uses one-letter names, because every mailbox stores one. */
export interface FolderCursor {
  readonly uidValidity: string;
  /** All messages up to this UID were reported or precede the start time. */
  readonly uid: number;
  /** The first UID that can be reported: flags of older messages are ignored. */
  readonly low: number;
  /** Flags and disappearances up to this mod-sequence were reported; null without CONDSTORE. */
  readonly modseq: string | null;
  /** Flags are being reported in several batches: up to this UID, and everything up to `modseq` then. */
  readonly walk: { readonly modseq: string; readonly uid: number } | null;
  /** Up to this UID, messages received before `since` are skipped. */
  readonly start: { readonly since: string; readonly uid: number } | null;
}

/** The state of a mailbox's sync, by folder path. */
export type ImapCursor = ReadonlyMap<string, FolderCursor>;

interface Stored {
  v: string;
  u: number;
  l: number;
  m?: string;
  w?: [string, number];
  s?: [string, number];
}

const VERSION = 1;

export function encodeCursor(cursor: ImapCursor): string {
  const folders = [...cursor].map(([path, { uidValidity, uid, low, modseq, walk, start }]): [string, Stored] => [
    path,
    {
      v: uidValidity,
      u: uid,
      l: low,
      ...(modseq === null ? {} : { m: modseq }),
      ...(walk === null ? {} : { w: [walk.modseq, walk.uid] }),
      ...(start === null ? {} : { s: [start.since, start.uid] }),
    },
  ]);
  return JSON.stringify({ imap: VERSION, folders: Object.fromEntries(folders) });
}

/** Reads a cursor; null when it is of another version or driver, or damaged: then the mailbox is read again. */
export function decodeCursor(text: string): ImapCursor | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(read) || read['imap'] !== VERSION || !isObject(read['folders'])) return null;
  const folders = Object.entries(read['folders']);
  if (!folders.every((entry): entry is [string, Stored] => isStored(entry[1]))) return null;
  return new Map(folders.map(([path, stored]) => [path, restored(stored)]));
}

function restored({ v, u, l, m, w, s }: Stored): FolderCursor {
  return {
    uidValidity: v,
    uid: u,
    low: l,
    modseq: m ?? null,
    walk: w ? { modseq: w[0], uid: w[1] } : null,
    start: s ? { since: s[0], uid: s[1] } : null,
  };
}

function isStored(value: unknown): value is Stored {
  if (!isObject(value)) return false;
  const { v, u, l, m, w, s } = value;
  return (
    isDigits(v) &&
    isUid(u) &&
    isUid(l) &&
    (m === undefined || isDigits(m)) &&
    (w === undefined || (Array.isArray(w) && isDigits(w[0]) && isUid(w[1]))) &&
    (s === undefined || (Array.isArray(s) && !Number.isNaN(Date.parse(String(s[0]))) && isUid(s[1])))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isUid(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xffff_ffff;
}

function isDigits(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,20}$/.test(value);
}
