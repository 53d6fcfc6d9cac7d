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

/** What remains to be done about a message that is known already. */
export interface MessageUpdate {
  readonly place: string;
  flags?: MessageFlags;
  newPlace?: { ref: MessageRef; role: FolderRole | null };
  isDeleted?: boolean;
}

export interface FoldedChanges {
  /** By fingerprint; of a message that is reported twice, its last place. */
  readonly messages: ReadonlyMap<string, NewMessage>;
  /** By fingerprint. */
  readonly unreadable: ReadonlyMap<string, UnreadableMessage>;
  readonly updates: readonly MessageUpdate[];
}

/**
 * A message's place as one word. IMAP numbers the messages of each folder by themselves; the ids of Gmail and Graph name a
 * message wherever it lies.
 */
export function getPlace(provider: MailboxProvider, { folder, id }: MessageRef): string {
  return provider === 'custom' ? `${folder}\0${id}` : id;
}

/** Identity of a message of which nothing is known but its place. */
function getUnreadableFingerprint(place: string): string {
  return createHash('sha256').update(`unreadable\0${place}`).digest('hex');
}

/** The net effect of a batch: what is new, and then what became of what was known. Order within the batch counts. */
export function foldChanges(provider: MailboxProvider, changes: readonly MailChange[]): FoldedChanges {
  const messages = new Map<string, NewMessage>();
  const unreadable = new Map<string, UnreadableMessage>();
  const updates = new Map<string, MessageUpdate>();
  for (const change of changes) {
    const place = getPlace(provider, change.ref);
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
