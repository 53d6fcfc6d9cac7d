import { getDeltaPath } from './graph-links';
import { KnownMessageIndex } from './known-message-index';
import { WELL_KNOWN, type WellKnownRole } from './graph-folders';

interface FolderBase {
  /** The folder's id. */
  readonly id: string;
  /** Messages received before this time are not reported (ISO 8601). */
  readonly since: string;
  /** Start of the read by the server's clock (ISO 8601). Later messages are certainly new. */
  readonly start: string | null;
}

/**
 * The progress in a folder. `base`: the first round of a delta query is skipped to obtain its final link. `fill`: existing messages are
 * read from the list, which has an order unlike a delta query; `from` is the time of receipt to continue at, and `seen` the number of
 * completed messages of that second. `delta`: later changes.
 */
export type FolderCursor =
  | (FolderBase & { readonly phase: 'base'; readonly link: string | null })
  | (FolderBase & { readonly phase: 'fill'; readonly link: string; readonly from: string; readonly seen: number })
  | (FolderBase & { readonly phase: 'delta'; readonly link: string });

export interface GraphCursor {
  /** The folder to continue with. */
  at: WellKnownRole | null;
  readonly folders: Partial<Record<WellKnownRole, FolderCursor>>;
  readonly known: KnownMessageIndex;
}

const VERSION = 1;

export function createCursor(): GraphCursor {
  return { at: null, folders: {}, known: new KnownMessageIndex() };
}

export function formatGraphCursor({ at, folders, known }: GraphCursor): string {
  return JSON.stringify({ v: VERSION, at, folders, known: known.toString() });
}

/** @returns null for a cursor that this version's `writeCursor` has not written: then everything is read again */
export function parseGraphCursor(apiUrl: string, text: string): GraphCursor | null {
  const parsed = parse(text);
  const known = typeof parsed?.['known'] === 'string' ? KnownMessageIndex.parse(parsed['known']) : null;
  const folders = parsed?.['folders'];
  if (parsed?.['v'] !== VERSION || !known || typeof folders !== 'object' || folders === null) return null;
  const cursor: GraphCursor = { at: parseRole(parsed['at']), folders: {}, known };
  for (const [name, value] of Object.entries(folders)) {
    const role = parseRole(name);
    const folder = readFolder(apiUrl, value as Record<string, unknown> | null);
    if (!role || !folder) return null;
    cursor.folders[role] = folder;
  }
  return cursor;
}

function readFolder(apiUrl: string, value: Record<string, unknown> | null): FolderCursor | null {
  const { id, since, start, phase, link, from, seen } = value ?? {};
  if (typeof id !== 'string' || !isTime(since) || !(start === null || isTime(start))) return null;
  const base = { id, since, start };
  // A cursor never leads to another host: only the path of a delta query is stored, relative to the API's URL.
  const path = typeof link === 'string' ? getDeltaPath(apiUrl, link) : null;
  if (phase === 'base' && (link === null || path !== null)) return { ...base, phase, link: path };
  if (path === null) return null;
  if (phase === 'delta') return { ...base, phase, link: path };
  if (phase !== 'fill' || !isTime(from) || !Number.isSafeInteger(seen) || (seen as number) < 0) return null;
  return { ...base, phase, link: path, from, seen: seen as number };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

function parseRole(value: unknown): WellKnownRole | null {
  return typeof value === 'string' && Object.hasOwn(WELL_KNOWN, value) ? (value as WellKnownRole) : null;
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value);
}
