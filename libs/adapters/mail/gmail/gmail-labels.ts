import { type MessageFlags } from '../port/changes';
import { type FolderRole, type MailFolder } from '../port/folder';
import { type GmailLabel, type GmailLabels } from './gmail-resources';

/** The folder without a label in Gmail: messages in none of the others. Ids of user labels are `Label_…`, so this id is free. */
export const ARCHIVE = 'ARCHIVE';

/** Conversations of Google Chat are listed among the messages but are no mail. */
const CHAT = 'CHAT';

/** Gmail files by label; one of the corresponding folders is the folder of the message. */
export interface Place {
  readonly folder: string;
  readonly role: FolderRole | null;
}

const SYSTEM_FOLDERS: readonly (MailFolder & { readonly role: FolderRole })[] = [
  { id: 'INBOX', name: 'Inbox', role: 'inbox' },
  { id: 'CATEGORY_PROMOTIONS', name: 'Promotions', role: 'promotions' },
  { id: 'SPAM', name: 'Spam', role: 'junk' },
  { id: 'SENT', name: 'Sent', role: 'sent' },
  { id: 'DRAFT', name: 'Drafts', role: 'drafts' },
  { id: 'TRASH', name: 'Trash', role: 'trash' },
  { id: ARCHIVE, name: 'Archive', role: 'archive' },
];

const FLAG_LABELS: ReadonlySet<string> = new Set(['UNREAD', 'STARRED', 'DRAFT']);

/** A label created by a user. */
function isOwnLabel(label: string): boolean {
  return label.startsWith('Label_');
}

/** Whether the label determines the folder of a message. */
export function isPlaceLabel(label: string): boolean {
  return isOwnLabel(label) || SYSTEM_FOLDERS.some(({ id }) => id === label);
}

/** Whether the label is one of `MessageFlags`. */
export function isFlagLabel(label: string): boolean {
  return FLAG_LABELS.has(label);
}

/** The folder of a message with these labels: trash and spam take precedence over all others. */
export function getGmailPlace(labels: readonly string[]): Place {
  const has = (label: string): boolean => labels.includes(label);
  if (has('TRASH')) return { folder: 'TRASH', role: 'trash' };
  if (has('SPAM')) return { folder: 'SPAM', role: 'junk' };
  if (has('CHAT')) return { folder: CHAT, role: null };
  if (has('DRAFT')) return { folder: 'DRAFT', role: 'drafts' };
  if (has('INBOX') && has('CATEGORY_PROMOTIONS')) return { folder: 'CATEGORY_PROMOTIONS', role: 'promotions' };
  if (has('INBOX')) return { folder: 'INBOX', role: 'inbox' };
  if (has('SENT')) return { folder: 'SENT', role: 'sent' };
  const own = labels.find(isOwnLabel);
  return own === undefined ? { folder: ARCHIVE, role: 'archive' } : { folder: own, role: null };
}

/** Gmail has no `answered` flag. */
export function getGmailFlags(labels: readonly string[]): MessageFlags {
  return {
    seen: !labels.includes('UNREAD'),
    answered: false,
    flagged: labels.includes('STARRED'),
    draft: labels.includes('DRAFT'),
  };
}

/** Whether a folder is among the roles; `all` is all mail except spam and trash. */
export function isWatched(roles: readonly FolderRole[], { folder, role }: Place): boolean {
  if (role !== null && roles.includes(role)) return true;
  return roles.includes('all') && role !== 'junk' && role !== 'trash' && folder !== CHAT;
}

/** The labels to list for the roles; an empty list requests all messages. */
export function getListingLabels(roles: readonly FolderRole[]): string[][] {
  if (roles.includes('archive') || roles.includes('all')) return [[]];
  const labels = roles.map((role) => (role === 'promotions' ? 'INBOX' : getLabel(role)));
  return [...new Set(labels)].filter((label) => label !== undefined).map((label) => [label]);
}

function getLabel(role: FolderRole): string | undefined {
  return SYSTEM_FOLDERS.find((folder) => folder.role === role)?.id;
}

/** Ids of the folders of these roles. */
export function listGmailFolderIds(roles: readonly FolderRole[]): string[] {
  return SYSTEM_FOLDERS.filter(({ role }) => isWatched(roles, { folder: '', role })).map(({ id }) => id);
}

/**
 * Returns the label changes that move a message to a folder.
 * @param from the folder before the move
 * @returns null for a folder that only Gmail fills (sent, drafts)
 */
export function getLabelChanges(folder: string, from: string): { add: string[]; remove: string[] } | null {
  if (folder === 'SENT' || folder === 'DRAFT') return null;
  const add = folder === 'CATEGORY_PROMOTIONS' ? ['INBOX', folder] : folder === ARCHIVE ? [] : [folder];
  const places = ['INBOX', 'SPAM', 'TRASH', ...(isOwnLabel(from) ? [from] : [])];
  // A message in the inbox that keeps its category would still be among the promotions.
  if (folder === 'INBOX') places.push('CATEGORY_PROMOTIONS');
  return { add, remove: places.filter((label) => !add.includes(label)) };
}

/** null for a label that no user created. */
export function getOwnFolder({ id, name }: GmailLabel): MailFolder | null {
  return id !== undefined && isOwnLabel(id) ? { id, name: name ?? id, role: null } : null;
}

/** The folders of a mailbox: Gmail's system folders, and one per user label. */
export function toFolders({ labels = [] }: GmailLabels): MailFolder[] {
  const own = labels.flatMap((label) => getOwnFolder(label) ?? []);
  return [...SYSTEM_FOLDERS.map(({ id, name, role }) => ({ id, name, role })), ...own];
}
