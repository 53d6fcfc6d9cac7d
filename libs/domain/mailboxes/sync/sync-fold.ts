import { createHash } from 'node:crypto';
import {
  type FolderRole,
  type MailChange,
  type MessageFlags,
  type MessageRef,
  type NewMessage,
  type UnreadableMessage,
} from '@adapters/mail';
import { type MailboxProvider } from '../schemas/mailbox.record';

/** Pending changes of a message that is already known. */
export interface MessageUpdate {
  readonly place: string;
  flags?: MessageFlags;
  newPlace?: { ref: MessageRef; role: FolderRole | null };
  isDeleted?: boolean;
}

export interface FoldedChanges {
  /** By fingerprint; of a message that is reported twice, the last place. */
  readonly messages: ReadonlyMap<string, NewMessage>;
  /** By fingerprint. */
  readonly unreadable: ReadonlyMap<string, UnreadableMessage>;
  readonly updates: readonly MessageUpdate[];
}

/**
 * The place of a message as one string. IMAP numbers messages per folder; ids of Gmail and Graph identify a message
 * in any folder.
 */
export function getMessagePlace(provider: MailboxProvider, { folder, id }: MessageRef): string {
  return provider === 'custom' ? `${folder}\0${id}` : id;
}

/** The identity of a message of which only the place is known. */
function getUnreadableFingerprint(place: string): string {
  return createHash('sha256').update(`unreadable\0${place}`).digest('hex');
}

/** The net effect of a batch: new messages, then changes of known ones. The order within the batch counts. */
export function foldChanges(provider: MailboxProvider, changes: readonly MailChange[]): FoldedChanges {
  const messages = new Map<string, NewMessage>();
  const unreadable = new Map<string, UnreadableMessage>();
  const updates = new Map<string, MessageUpdate>();
  for (const change of changes) {
    const place = getMessagePlace(provider, change.ref);
    const update = updates.get(place) ?? { place };
    switch (change.kind) {
      case 'message':
        messages.set(change.fingerprint, change);
        updates.delete(place);
        continue;
      case 'unreadable':
        unreadable.set(getUnreadableFingerprint(place), change);
        continue;
      case 'flags':
        update.flags = change.flags;
        break;
      case 'moved':
        update.newPlace = { ref: change.ref, role: change.role };
        update.isDeleted = false;
        break;
      case 'gone':
        update.isDeleted = true;
        break;
    }
    updates.set(place, update);
  }
  return { messages, unreadable, updates: [...updates.values()] };
}
