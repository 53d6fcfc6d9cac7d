import { type ListResponse } from 'imapflow';
import { type FolderRole, type MailFolder } from '../port/folder';
import { parseFolderName } from '../port/folder-name';
import { type ImapCommands } from './imap-commands';
import { isAnswer, getMailError } from './imap.errors';

/**
 * imapflow determines the role of a folder by SPECIAL-USE (RFC 6154), else XLIST, else by its name in some fifty languages. It assigns each
 * role to one folder only.
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

/**
 * There is no special use for promotions: users who filter them on the server (Sieve) name a folder like Gmail's category. Only a top-level
 * folder counts, or one directly below the inbox on servers with all folders there.
 */
const PROMOTIONS: ReadonlySet<string> = new Set(['promotions', 'promociones', 'promoções', 'promozioni', 'werbung']);

/** Milliseconds after which the folders are listed again: users seldom create new ones. */
const FRESH_MS = 600_000;

type Listed = Pick<ListResponse, 'path' | 'parentPath' | 'name' | 'specialUse' | 'flags'>;

/** The folders that contain messages, with their roles. The inbox always exists (RFC 3501, 5.1). */
export function toImapFolders(listed: readonly Listed[]): MailFolder[] {
  const selectable = listed.filter(({ flags }) => ![...flags].some((flag) => /^\\(noselect|nonexistent)$/i.test(flag)));
  const promotions = selectable.find(isPromotions);
  const folders = selectable.map((one) => {
    const { path, name, specialUse } = one;
    return { id: path, name: name || path, role: one === promotions ? 'promotions' : getRole(path, specialUse) };
  });
  if (folders.some(({ role }) => role === 'inbox')) return folders;
  return [{ id: 'INBOX', name: 'INBOX', role: 'inbox' as const }, ...folders];
}

function getRole(path: string, specialUse: string | undefined): FolderRole | null {
  if (path.toUpperCase() === 'INBOX') return 'inbox';
  const role = specialUse === undefined ? undefined : ROLES[specialUse];
  return role === undefined || role === 'inbox' ? null : role;
}

function isPromotions({ parentPath, name, specialUse }: Listed): boolean {
  if (specialUse !== undefined || !PROMOTIONS.has(name.normalize('NFC').toLowerCase())) return false;
  return parentPath === '' || parentPath.toUpperCase() === 'INBOX';
}

/** The folders of a mailbox, listed once per connection and again after an interval. */
export class ImapFolders {
  readonly #known = new WeakMap<object, { folders: MailFolder[]; until: number }>();

  async list(imap: ImapCommands): Promise<readonly MailFolder[]> {
    const known = this.#known.get(imap.client);
    if (known && known.until > performance.now()) return known.folders;
    return this.listAnew(imap);
  }

  async listAnew(imap: ImapCommands): Promise<readonly MailFolder[]> {
    imap.command = 'LIST';
    const folders = toImapFolders(await imap.client.list());
    this.#known.set(imap.client, { folders, until: performance.now() + FRESH_MS });
    return folders;
  }

  /**
   * The top-level folder with this name, created if it is missing.
   * @param making the result of earlier attempts: a lost connection may have created the folder
   */
  async ensure(imap: ImapCommands, input: string, making: { hasBegun: boolean }): Promise<MailFolder> {
    const name = parseFolderName(input, imap.separator);
    const path = imap.topLevel(name);
    const there = await this.#find(imap, path);
    if (there && !making.hasBegun) return there;
    if (!there) {
      making.hasBegun = true;
      const other = await this.#create(imap, path);
      if (other) return other;
    }
    await subscribe(imap, path);
    return there ?? (await this.#find(imap, path)) ?? { id: path, name, role: null };
  }

  /** @returns the existing folder, created by another client or in another case; null for a new one */
  async #create(imap: ImapCommands, path: string): Promise<MailFolder | null> {
    try {
      await imap.create(path);
      return null;
    } catch (error) {
      if (!isAnswer(error)) throw error;
      // Few servers return ALREADYEXISTS (RFC 5530), so the list of folders decides.
      const other = await this.#find(imap, path, 'in any case');
      if (other) return other;
      // A NO to CREATE means that the name is not available (RFC 9051, section 6.3.4).
      throw getMailError(error, { stage: 'request', command: 'CREATE', lasting: true });
    }
  }

  async #find(imap: ImapCommands, path: string, how?: 'in any case'): Promise<MailFolder | undefined> {
    const folders = await this.listAnew(imap);
    const exactly = folders.find(({ id }) => id.normalize('NFC') === path);
    if (exactly || how === undefined) return exactly;
    return folders.find(({ id }) => id.normalize('NFC').toLowerCase() === path.toLowerCase());
  }
}

/** Subscribes the folder for programs that show only subscribed ones; if the server refuses, the folder still exists. */
async function subscribe(imap: ImapCommands, path: string): Promise<void> {
  try {
    await imap.subscribe(path);
  } catch (error) {
    if (!isAnswer(error)) throw error;
  }
}
