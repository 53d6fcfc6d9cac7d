import { type ListResponse } from 'imapflow';
import { type FolderRole, type MailFolder } from '../port/folder';
import { type ImapCommands } from './imap.commands';

/**
 * imapflow says what a folder is for by SPECIAL-USE (RFC 6154), else XLIST, else by its name in some fifty languages, and
 * gives each use to one folder only.
 */
const ROLES: Readonly<Record<string, FolderRole>> = {
  '\\Inbox': 'inbox',
  '\\Junk': 'junk',
  '\\Sent': 'sent',
  '\\Drafts': 'drafts',
  '\\Trash': 'trash',
  '\\Archive': 'archive',
  '\\All': 'all',
};

/** After how long the folders are asked for again, in milliseconds: people seldom make new ones. */
const FRESH_MS = 600_000;

type Listed = Pick<ListResponse, 'path' | 'name' | 'specialUse' | 'flags'>;

/** The folders that hold messages, each with its role. The inbox is always there (RFC 3501, 5.1). */
export function foldersOf(listed: readonly Listed[]): MailFolder[] {
  const folders = listed
    .filter(({ flags }) => ![...flags].some((flag) => /^\\(noselect|nonexistent)$/i.test(flag)))
    .map(({ path, name, specialUse }) => ({ id: path, name: name || path, role: roleOf(path, specialUse) }));
  if (folders.some(({ role }) => role === 'inbox')) return folders;
  return [{ id: 'INBOX', name: 'INBOX', role: 'inbox' as const }, ...folders];
}

function roleOf(path: string, specialUse: string | undefined): FolderRole | null {
  if (path.toUpperCase() === 'INBOX') return 'inbox';
  const role = specialUse === undefined ? undefined : ROLES[specialUse];
  return role === undefined || role === 'inbox' ? null : role;
}

/** The folders of a mailbox, asked for once per connection and again after a while. */
export class ImapFolders {
  readonly #known = new WeakMap<object, { folders: MailFolder[]; until: number }>();

  async list(imap: ImapCommands): Promise<readonly MailFolder[]> {
    const known = this.#known.get(imap.client);
    if (known && known.until > performance.now()) return known.folders;
    return this.listAnew(imap);
  }

  async listAnew(imap: ImapCommands): Promise<readonly MailFolder[]> {
    imap.command = 'LIST';
    const folders = foldersOf(await imap.client.list());
    this.#known.set(imap.client, { folders, until: performance.now() + FRESH_MS });
    return folders;
  }
}
