import { type MailChange, type SyncBatch, type SyncRequest } from '../port/changes';
import { type FolderRole, type MailFolder } from '../port/folder';
import { MailError } from '../port/mail.errors';
import { toAtom, type SelectedFolder, type ImapCommands } from './imap-commands';
import { decodeCursor, encodeCursor, type FolderCursor, type ImapCursor } from './imap-cursor';
import { type ImapFailure, getMailError } from './imap.errors';
import { type ImapFolders } from './imap-folders';
import { readMessages } from './imap-messages';
import { getImapFlags } from './imap-summary';
import { listUidsWithin } from './uid-ranges';

const WATCHED: readonly FolderRole[] = ['inbox', 'promotions', 'junk'];

/** Largest possible UID (RFC 3501). */
const MAX_UID = 0xffff_ffff;

const DAY_MS = 86_400_000;

interface FolderResult {
  readonly changes: readonly MailChange[];
  readonly cursor: FolderCursor;
  readonly more: boolean;
  readonly restarted: boolean;
}

/** Called with the state of the inbox after its sync. */
type OnInbox = (inbox: SelectedFolder) => void;

/**
 * Reads the changes of a mailbox since a cursor. CONDSTORE reports flags of known messages, and QRESYNC removals (RFC 7162). Without both,
 * reported messages are not requested again, so their later flags and deletion stay unknown. Only UIDs above the cursor are read,
 * regardless of the size of the folder.
 */
export class ImapSync {
  constructor(
    private readonly folders: ImapFolders,
    private readonly onInbox: OnInbox,
  ) {}

  async run(imap: ImapCommands, { cursor: text, since, limit, roles = WATCHED }: SyncRequest): Promise<SyncBatch> {
    const known = text === null ? new Map<string, never>() : decodeCursor(text);
    const cursor = new Map<string, FolderCursor>(known ?? []);
    const folders = await this.#listFolders(imap, roles);
    const changes: MailChange[] = [];
    const restarted = known === null ? folders.map(({ id }) => id) : [];
    for (const folder of folders) {
      const left = limit - changes.length;
      if (left <= 0) return { changes, cursor: encodeCursor(cursor), more: true, restarted };
      const box = await this.#open(imap, folder);
      if (box === null) continue;
      if (folder.role === 'inbox') this.onInbox(box);
      const result = await syncFolder(imap, box, folder.role, cursor.get(folder.id) ?? null, since, left);
      cursor.set(folder.id, result.cursor);
      changes.push(...result.changes);
      if (result.restarted) restarted.push(folder.id);
      if (result.more) return { changes, cursor: encodeCursor(cursor), more: true, restarted };
    }
    return { changes, cursor: encodeCursor(removeFolders(cursor, folders)), more: false, restarted };
  }

  /** The folders of the roles, in the order of the roles. */
  async #listFolders(imap: ImapCommands, roles: readonly FolderRole[]): Promise<MailFolder[]> {
    const all = await this.folders.list(imap);
    return roles.flatMap((role) => all.filter((folder) => folder.role === role));
  }

  /** null for a folder that cannot be opened, except the inbox: the other folders are still read. */
  async #open(imap: ImapCommands, { id, role }: MailFolder): Promise<SelectedFolder | null> {
    try {
      return await imap.select(id, 'read');
    } catch (error) {
      if (!(error as ImapFailure).responseStatus || role === 'inbox') throw error;
      const failed = getMailError(error, { stage: 'request', command: imap.command });
      if (failed.failure === 'temporary') throw failed;
      return null;
    }
  }
}

/** Drops the state of deleted folders; that of folders outside this request is kept. */
function removeFolders(cursor: Map<string, FolderCursor>, folders: readonly MailFolder[]): ImapCursor {
  const MOST = 50;
  if (cursor.size <= MOST) return cursor;
  const present = new Set(folders.map(({ id }) => id));
  return new Map([...cursor].filter(([path]) => present.has(path)));
}

async function syncFolder(
  imap: ImapCommands,
  box: SelectedFolder,
  role: FolderRole | null,
  known: FolderCursor | null,
  since: Date,
  limit: number,
): Promise<FolderResult> {
  const isSame = known?.uidValidity === box.uidValidity;
  const before = known && isSame ? known : createFolderCursor(box, since);
  const followed = await follow(imap, box, role, before, limit);
  const left = limit - followed.changes.length;
  const restarted = known !== null && !isSame;
  if (followed.more || left === 0) return { ...followed, more: true, restarted };
  const news = await readNews(imap, box, role, followed.cursor, left);
  return { ...news, changes: [...followed.changes, ...news.changes], restarted };
}

function createFolderCursor({ uidValidity, uidNext, modseq }: SelectedFolder, since: Date): FolderCursor {
  return {
    uidValidity,
    uid: 0,
    low: 0,
    modseq: modseq?.toString() ?? null,
    walk: null,
    start: { since: since.toISOString(), uid: uidNext === null ? MAX_UID : uidNext - 1 },
  };
}

/**
 * The changes of known messages. If they exceed a batch, several batches report them in ascending order of UID, from the same mod-sequence.
 * Later changes have a higher one and are found by the next sync.
 */
async function follow(
  imap: ImapCommands,
  box: SelectedFolder,
  role: FolderRole | null,
  cursor: FolderCursor,
  limit: number,
): Promise<Omit<FolderResult, 'restarted'>> {
  const { modseq, walk, low, uid } = cursor;
  if (box.modseq === null) return { changes: [], cursor, more: false };
  const target = walk === null ? box.modseq : BigInt(walk.modseq);
  const from = walk === null ? low : walk.uid + 1;
  const settled: FolderCursor = { ...cursor, modseq: target.toString(), walk: null };
  const isQuiet = modseq === null || BigInt(modseq) >= target;
  if (isQuiet || low === 0 || from > uid) return { changes: [], cursor: settled, more: false };
  const all: MailChange[] = [];
  for (const [first, last] of listWindows(from, uid, limit)) {
    all.push(...(await readChanges(imap, box, role, [first, last], BigInt(modseq), limit + 1)));
    if (all.length > limit) break;
  }
  const changes = all.slice(0, limit);
  if (all.length <= limit) return { changes, cursor: settled, more: false };
  const walked = { modseq: target.toString(), uid: getUid(changes.at(-1) as MailChange) };
  return { changes, cursor: { ...cursor, walk: walked }, more: true };
}

function getUid({ ref }: MailChange): number {
  return Number(ref.id.split(':')[1]);
}

/** Flags and removals of a range of UIDs, in order. */
async function readChanges(
  imap: ImapCommands,
  box: SelectedFolder,
  role: FolderRole | null,
  [first, last]: Window,
  changedSince: bigint,
  most: number,
): Promise<MailChange[]> {
  const items = [toAtom('UID'), toAtom('FLAGS')];
  const { fetched, vanished } = await imap.fetchChanges(`${first}:${last}`, items, { changedSince });
  const flagged = [...fetched.keys()].filter((uid) => uid >= first && uid <= last && fetched.get(uid)?.flags);
  const deleted = new Set(listUidsWithin(vanished, first, last, most));
  const uids = [...new Set([...flagged, ...deleted])].sort((a, b) => a - b);
  return uids.map((uid): MailChange => {
    const place = { ref: { folder: box.path, id: `${box.uidValidity}:${uid}` }, role };
    if (deleted.has(uid)) return { kind: 'gone', ...place };
    return { kind: 'flags', ...place, flags: getImapFlags(fetched.get(uid)?.flags) };
  });
}

/** Messages above the cursor, oldest first. */
async function readNews(
  imap: ImapCommands,
  box: SelectedFolder,
  role: FolderRole | null,
  before: FolderCursor,
  limit: number,
): Promise<Omit<FolderResult, 'restarted'>> {
  let cursor = before;
  const changes: MailChange[] = [];
  if (cursor.start !== null) {
    const { since, uid: end } = cursor.start;
    const found = await findNextUids(imap, cursor.uid + 1, end, limit + 1, new Date(since));
    const batch = found.slice(0, limit);
    const read = await readMessages(imap, box, role, batch);
    changes.push(...read.filter((change) => change.kind !== 'message' || isFrom(change.receivedAt, since)));
    if (found.length > limit) return { changes, cursor: advanceCursor(cursor, batch), more: true };
    // Without UIDNEXT the last message counts.
    const last = end === MAX_UID ? (batch.at(-1) ?? cursor.uid) : Math.max(end, cursor.uid);
    cursor = { ...advanceCursor(cursor, batch), uid: last, low: cursor.low || (batch[0] ?? last + 1), start: null };
  }
  const left = limit - changes.length;
  const high = box.uidNext === null ? MAX_UID : box.uidNext - 1;
  if (high <= cursor.uid) return { changes, cursor, more: false };
  if (left === 0) return { changes, cursor, more: true };
  const found = await findNextUids(imap, cursor.uid + 1, high, left + 1);
  const batch = found.slice(0, left);
  changes.push(...(await readMessages(imap, box, role, batch)));
  return { changes, cursor: advanceCursor(cursor, batch), more: found.length > left };
}

function advanceCursor(cursor: FolderCursor, batch: readonly number[]): FolderCursor {
  const [first] = batch;
  if (first === undefined) return cursor;
  return { ...cursor, uid: batch.at(-1) as number, low: cursor.low || first };
}

/** INTERNALDATE has whole seconds only. */
function isFrom(receivedAt: Date, since: string): boolean {
  return Math.floor(receivedAt.getTime() / 1000) >= Math.floor(Date.parse(since) / 1000);
}

/** The lowest existing UIDs of a range, at least `most` if that many exist. */
async function findNextUids(
  imap: ImapCommands,
  low: number,
  high: number,
  most: number,
  since?: Date,
): Promise<readonly number[]> {
  const found: number[] = [];
  for (const [first, last] of listWindows(low, high, most)) {
    found.push(...(await imap.uidsIn(first, last, since ? [toAtom('SINCE'), toAtom(toSearchDay(since))] : [])));
    if (found.length >= most) break;
  }
  return found;
}

/** First and last UID. */
type Window = readonly [number, number];

/**
 * Splits a range of UIDs into growing windows, which are searched in order until enough messages are found. A batch neither lists tens of
 * thousands of messages nor needs many commands for a sparse range.
 */
function* listWindows(low: number, high: number, most: number): Generator<Window> {
  for (let [from, width] = [low, Math.max(1_000, most * 2)]; from <= high; width *= 8) {
    const last = Math.min(high, from + width - 1);
    yield [from, last];
    from = last + 1;
  }
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** SEARCH SINCE compares days in the server's time zone: a day earlier is safe, and INTERNALDATE decides. */
export function toSearchDay(since: Date): string {
  const day = new Date(since.getTime() - DAY_MS);
  return `${day.getUTCDate()}-${MONTHS[day.getUTCMonth()] ?? 'Jan'}-${day.getUTCFullYear()}`;
}

/** An invalid cursor is never an error, but a limit outside the port's range is a fault of the caller. */
export function requireLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= 500) return;
  throw new MailError({
    failure: 'permanent',
    stage: 'request',
    message: `A batch has 1 to 500 changes, not ${limit}`,
  });
}
