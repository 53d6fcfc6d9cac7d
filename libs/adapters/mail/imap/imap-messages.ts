import { type NewMessage, type UnreadableMessage } from '../port/changes';
import { getFingerprint } from '../port/fingerprint';
import { type FolderRole } from '../port/folder';
import { MailError } from '../port/mail.errors';
import { toAtom, type SelectedFolder, type Fetched, type ImapCommands, toPeekItem, type Token } from './imap-commands';
import { getBlame, getMailError } from './imap.errors';
import { getImapFlags, SUMMARY_BYTES, SUMMARY_FIELDS, getImapSummary } from './imap-summary';
import { toSequenceSet } from './uid-ranges';

const ITEMS: Token[] = [
  toAtom('UID'),
  toAtom('FLAGS'),
  toAtom('INTERNALDATE'),
  toAtom('RFC822.SIZE'),
  toPeekItem([toAtom('HEADER.FIELDS'), SUMMARY_FIELDS.map((field) => toAtom(field))], 0, SUMMARY_BYTES),
];

/** A message without a response. */
interface Missed {
  readonly uid: number;
  /** null: it was deleted in the meantime. */
  readonly reason: string | null;
  /** Whether the server reports an internal error. */
  readonly isServers: boolean;
}

/** Maximum consecutive refusals without a readable message; more indicate a fault of the server. */
const MOST_REFUSALS = 30;

/**
 * Reads the list data of messages of the selected folder, in the given order. A message that the server cannot return is reported as
 * unreadable; only deleted messages are omitted.
 * @throws imapflow's error when the connection is lost, MailError for a fault of the whole server
 */
export async function readMessages(
  imap: ImapCommands,
  box: SelectedFolder,
  role: FolderRole | null,
  uids: readonly number[],
): Promise<(NewMessage | UnreadableMessage)[]> {
  if (uids.length === 0) return [];
  const fetched = new Map<number, Fetched>();
  await fetchAll(imap, box, uids, fetched, { left: MOST_REFUSALS });
  const missed = await explain(imap, box, uids, fetched);
  const reasons = new Map(missed.map(({ uid, reason }) => [uid, reason]));
  const changes: (NewMessage | UnreadableMessage)[] = [];
  for (const uid of uids) {
    const ref = { folder: box.path, id: `${box.uidValidity}:${uid}` };
    const message = fetched.get(uid);
    const reason = reasons.get(uid);
    if (message) changes.push(await toNewMessage(message, ref, role));
    else if (reason) changes.push({ kind: 'unreadable', ref, role, reason });
  }
  return changes;
}

async function toNewMessage(
  { flags, internalDate, size = 0, headers }: Fetched,
  ref: NewMessage['ref'],
  role: FolderRole | null,
): Promise<NewMessage> {
  const summary = await getImapSummary(headers ?? Buffer.alloc(0));
  return {
    kind: 'message',
    ref,
    role,
    fingerprint: getFingerprint(summary, size),
    receivedAt: internalDate instanceof Date ? internalDate : (summary.date ?? new Date(0)),
    size,
    flags: getImapFlags(flags),
    summary,
    threadId: null,
  };
}

/** Complete responses only: an incompletely parsed response counts as missing. */
async function fetchAll(
  imap: ImapCommands,
  box: SelectedFolder,
  uids: readonly number[],
  fetched: Map<number, Fetched>,
  refusals: { left: number },
): Promise<void> {
  try {
    for (const [uid, message] of await imap.fetch(toSequenceSet(uids), ITEMS)) {
      if (isComplete(message)) fetched.set(uid, message);
    }
  } catch (error) {
    if (getBlame(error) === null) throw error;
    if (uids.length === 1) return;
    refusals.left -= 1;
    if (refusals.left === 0 && fetched.size === 0) throw nothingWorks(box, error);
    // One message can make a server refuse all: bisect down to it.
    const half = Math.ceil(uids.length / 2);
    await fetchAll(imap, box, uids.slice(0, half), fetched, refusals);
    await fetchAll(imap, box, uids.slice(half), fetched, refusals);
  }
}

function isComplete({ internalDate, headers, size }: Fetched): boolean {
  return internalDate !== undefined && headers !== undefined && size !== undefined;
}

/** Checks the messages without a response one by one. */
async function explain(
  imap: ImapCommands,
  box: SelectedFolder,
  uids: readonly number[],
  fetched: Map<number, Fetched>,
): Promise<Missed[]> {
  const silent = uids.filter((uid) => !fetched.has(uid));
  if (silent.length === 0) return [];
  const existing = await imap.search([toAtom('UID'), { type: 'SEQUENCE', value: toSequenceSet(silent) }]);
  const missed: Missed[] = [];
  let shown = 0;
  for (const uid of silent) {
    const again = existing !== null && !existing.includes(uid) ? null : await tryOne(imap, uid, ITEMS);
    if (again?.message && isComplete(again.message)) {
      fetched.set(uid, again.message);
      continue;
    }
    // If the server returns anything about this message, the fault is the message's.
    const about = again === null ? null : await tryOne(imap, uid, [toAtom('UID'), toAtom('FLAGS')]);
    if (about?.message) shown += 1;
    const isDeleted = about === null || (existing === null && !about.message && !again?.refused);
    const reason = isDeleted ? null : (again?.refused ?? 'The server returns this message in an unreadable form');
    missed.push({ uid, reason, isServers: again?.isServers === true });
  }
  await suspectServer(imap, box, missed, { read: fetched.size, shown });
  return missed;
}

/**
 * Without any readable message nothing is skipped: neither when the server reports an internal error for all messages of the folder, nor
 * when it returns nothing about several of them.
 */
async function suspectServer(
  imap: ImapCommands,
  box: SelectedFolder,
  missed: readonly Missed[],
  { read, shown }: { read: number; shown: number },
): Promise<void> {
  const broken = missed.filter(({ reason }) => reason !== null);
  const [first] = broken;
  if (!first || read > 0) return;
  const isServers = broken.some((message) => message.isServers) && !(await showsAnother(imap, first.uid));
  if (isServers || (shown === 0 && broken.length > 1)) throw nothingWorks(box, first.reason);
}

/** Whether an earlier message can be read. */
async function showsAnother(imap: ImapCommands, uid: number): Promise<boolean> {
  const before = await imap.uidsIn(Math.max(1, uid - 1_000), uid - 1);
  const other = before.at(-1);
  if (other === undefined) return false;
  const { message } = await tryOne(imap, other, ITEMS);
  return message !== undefined && isComplete(message);
}

async function tryOne(
  imap: ImapCommands,
  uid: number,
  items: Token[],
): Promise<{ message?: Fetched | undefined; refused: string | null; isServers: boolean }> {
  try {
    return { message: await imap.fetchOne(uid, items), refused: null, isServers: false };
  } catch (error) {
    const blame = getBlame(error);
    if (blame === null) throw error;
    return { refused: getUnreadableReason(error), isServers: blame === 'server' };
  }
}

function getUnreadableReason(error: unknown): string {
  const { lastReply, message } = getMailError(error, { stage: 'request', command: 'UID FETCH' });
  return lastReply?.response ?? message;
}

/** The server is faulty, not a message. */
function nothingWorks({ path }: SelectedFolder, why: unknown): MailError {
  const reason = typeof why === 'string' ? why : getUnreadableReason(why);
  const message = `The IMAP server returns none of the messages in ${path}: ${reason}`;
  return new MailError({ failure: 'temporary', stage: 'request', message });
}
