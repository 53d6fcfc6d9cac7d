import { type MailChange, type MessageRef, type NewMessage } from '../port/changes';
import { getFingerprint } from '../port/fingerprint';
import { type FolderRole } from '../port/folder';
import { getGmailSummary } from './gmail-headers';
import { type MessageHistory, getLabelsBefore, type Slot, isRelevant } from './gmail-history';
import { getGmailFlags, isFlagLabel, isWatched, type Place, getGmailPlace } from './gmail-labels';
import { type MessageInspection, type Engagement } from './gmail-message-inspector';

/** The change for a listed message at the first read of a mailbox; null for one outside the requested roles. */
export function toListedChange(
  id: string,
  inspection: MessageInspection,
  roles: readonly FolderRole[],
  since: number,
): MailChange | null {
  if (inspection.kind === 'absent') return null;
  const place = inspection.labels ? getGmailPlace(inspection.labels) : null;
  if (place && !isWatched(roles, place)) return null;
  if (inspection.kind === 'unreadable') return { kind: 'unreadable', ...at(id, place), reason: inspection.reason };
  return inspection.receivedAt.getTime() < since ? null : newMessage(id, inspection);
}

/**
 * The change for a history step after its message was read; null when it does not concern the roles.
 * @param later all known history of the message, including steps after this batch
 */
export function toReportedChange(
  { happened, what }: Slot,
  inspection: MessageInspection,
  roles: readonly FolderRole[],
  later: MessageHistory,
): MailChange | null {
  const { id } = happened;
  if (what === 'gone') return { kind: 'gone', ...at(id, getMentionedPlace(happened)) };
  if (inspection.kind === 'absent') return null; // its deletion follows in the history
  if (inspection.kind === 'unreadable') {
    const place = inspection.labels ? getGmailPlace(inspection.labels) : getMentionedPlace(happened);
    if (!happened.isAdded || (place && !isWatched(roles, place))) return null;
    return { kind: 'unreadable', ...at(id, place), reason: inspection.reason };
  }
  if (happened.isAdded) return isNews(later, inspection, roles) ? newMessage(id, inspection) : null;
  // Uses all known history, because the message may have been read after this batch.
  const before = getGmailPlace(getLabelsBefore(later, inspection.labels));
  const now = getGmailPlace(inspection.labels);
  const wasWatched = isWatched(roles, before);
  if (what === 'flags' || (before.folder === now.folder && !isRelevant(happened, isFlagLabel))) {
    // Also for a message that left and returned: an earlier report may be outdated.
    const isKnown = wasWatched && isWatched(roles, now);
    return isKnown ? { kind: 'flags', ...at(id, now), flags: getGmailFlags(inspection.labels) } : null;
  }
  if (before.folder === now.folder) return null;
  if (wasWatched) return { kind: 'moved', ...at(id, now) };
  return isWatched(roles, now) ? newMessage(id, inspection) : null;
}

/**
 * Whether an added message is new mail of the roles. A reply archived or deleted by the user before this sync is new mail too: the history
 * shows that it was in the inbox.
 */
function isNews(
  { labels, mentioned }: MessageHistory,
  { labels: now }: Engagement,
  roles: readonly FolderRole[],
): boolean {
  if (isWatched(roles, getGmailPlace(now))) return true;
  if (mentioned.length > 0 && isWatched(roles, getGmailPlace(mentioned))) return true;
  return [...labels.keys(), ...now].some((label) => ARRIVALS.has(label) && isWatched(roles, getGmailPlace([label])));
}

/**
 * Whether an added message is outside the folders where mail arrives, and the known history does not explain how it got there: the user may
 * have moved it before this sync.
 */
export function isUnclear({ happened: { isAdded } }: Slot, inspection: MessageInspection): boolean {
  if (!isAdded || inspection.kind !== 'seen') return false;
  const { role } = getGmailPlace(inspection.labels);
  return role !== 'sent' && role !== 'drafts';
}

/** The folders that receive mail of others. */
const ARRIVALS: ReadonlySet<string> = new Set(['INBOX', 'SPAM']);

/** A Gmail id names a message in any folder; for a deleted message, the folder is a guess. */
function at(id: string, place: Place | null): { ref: MessageRef; role: FolderRole | null } {
  return { ref: { folder: place?.folder ?? 'INBOX', id }, role: place?.role ?? null };
}

function getMentionedPlace({ mentioned }: MessageHistory): Place | null {
  return mentioned.length > 0 ? getGmailPlace(mentioned) : null;
}

function newMessage(id: string, { message, labels, receivedAt }: Engagement): NewMessage {
  const summary = getGmailSummary(message.payload?.headers ?? []);
  const size = message.sizeEstimate ?? 0;
  return {
    kind: 'message',
    ...at(id, getGmailPlace(labels)),
    fingerprint: getFingerprint(summary, size),
    receivedAt,
    size,
    flags: getGmailFlags(labels),
    summary,
    threadId: message.threadId ?? null,
  };
}
