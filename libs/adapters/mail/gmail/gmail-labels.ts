import { type MessageFlags } from '../port/changes';
import { type FolderRole, type MailFolder } from '../port/folder';
import { type GmailLabel, type GmailLabels } from './gmail-resources';

/**
 * The folder that Gmail has no label for: what is in none of the others. Labels of people are called `Label_…`, so the
 * name is free.
 */
export const ARCHIVE = 'ARCHIVE';

/** Conversations of Google Chat lie among the messages; they are no mail. */
const CHAT = 'CHAT';

/** Gmail files by label; one of the folders that the labels mean is the place of the message. */
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

/** A label that a person made. */
function isOwnLabel(label: string): boolean {
  return label.startsWith('Label_');
}

/** Whether the label decides about where a message is. */
export function isPlaceLabel(label: string): boolean {
  return isOwnLabel(label) || SYSTEM_FOLDERS.some(({ id }) => id === label);
}

/** Whether the label is one of `MessageFlags`. */
export function isFlagLabel(label: string): boolean {
  return FLAG_LABELS.has(label);
}

/** Where a message with these labels is: the bin and the spam folder hide it from everywhere else. */
export function placeOf(labels: readonly string[]): Place {
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

/** `answered` does not exist at Gmail. */
export function getFlags(labels: readonly string[]): MessageFlags {
  return {
    seen: !labels.includes('UNREAD'),
    answered: false,
    flagged: labels.includes('STARRED'),
    draft: labels.includes('DRAFT'),
  };
}

/** Whether a place is among the roles; `all` is all mail but spam and bin. */
export function isWatched(roles: readonly FolderRole[], { folder, role }: Place): boolean {
  if (role !== null && roles.includes(role)) return true;
  return roles.includes('all') && role !== 'junk' && role !== 'trash' && folder !== CHAT;
}

/** The labels under which everything is found that the roles mean; an empty list asks for all messages. */
export function listingLabels(roles: readonly FolderRole[]): string[][] {
  if (roles.includes('archive') || roles.includes('all')) return [[]];
  const labels = roles.map((role) => (role === 'promotions' ? 'INBOX' : labelOf(role)));
  return [...new Set(labels)].filter((label) => label !== undefined).map((label) => [label]);
}

function labelOf(role: FolderRole): string | undefined {
  return SYSTEM_FOLDERS.find((folder) => folder.role === role)?.id;
}

/** Ids of the folders of these roles. */
export function getFolders(roles: readonly FolderRole[]): string[] {
  return SYSTEM_FOLDERS.filter(({ role }) => isWatched(roles, { folder: '', role })).map(({ id }) => id);
}

/**
 * What makes a message lie in that folder and in no other.
 * @param from the folder that it leaves
 * @returns null for a folder that Gmail fills by itself (sent, drafts)
 */
export function relabelling(folder: string, from: string): { add: string[]; remove: string[] } | null {
  if (folder === 'SENT' || folder === 'DRAFT') return null;
  const add = folder === 'CATEGORY_PROMOTIONS' ? ['INBOX', folder] : folder === ARCHIVE ? [] : [folder];
  const places = ['INBOX', 'SPAM', 'TRASH', ...(isOwnLabel(from) ? [from] : [])];
  // A message in the inbox whose category stays would still lie among the promotions.
  if (folder === 'INBOX') places.push('CATEGORY_PROMOTIONS');
  return { add, remove: places.filter((label) => !add.includes(label)) };
}

/** null for a label that no person has made. */
export function getOwnFolder({ id, name }: GmailLabel): MailFolder | null {
  return id !== undefined && isOwnLabel(id) ? { id, name: name ?? id, role: null } : null;
}

/** The folders of a mailbox: Gmail's own, and one for each label that a person made. */
export function foldersFrom({ labels = [] }: GmailLabels): MailFolder[] {
  const own = labels.flatMap((label) => getOwnFolder(label) ?? []);
  return [...SYSTEM_FOLDERS.map(({ id, name, role }) => ({ id, name, role })), ...own];
}
