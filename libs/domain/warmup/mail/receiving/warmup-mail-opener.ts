import { MailError, type MailFolder, type MailSession, type MessageRef } from '@adapters/mail';
import { type MailboxMessageRecord } from '@domain/mailboxes';

/** Folder for warmup mail, apart from the owner's mail. */
const WARMUP_FOLDER = 'Warmup';

const MOST_BYTES = 262_144;

const SORTED_TABS: ReadonlySet<MailboxMessageRecord['role']> = new Set(['junk', 'promotions'] as const);

/** Opens mail in one mailbox as its owner would. */
export class WarmupMailOpener {
  #folders: Promise<Folders> | undefined;

  constructor(private readonly session: MailSession) {}

  /** Returns the raw message; null when it is larger than any warmup mail. */
  async read({ ref, size }: Pick<MailboxMessageRecord, 'ref' | 'size'>): Promise<Buffer | null> {
    return size > MOST_BYTES ? null : this.session.fetchRaw(ref, { maxBytes: 2 * MOST_BYTES });
  }

  /**
   * Moves a message out of spam or promotions to the inbox, marks it as read, and files it. A message that its owner has moved
   * stays where it is. Repeatable.
   * @throws MailError `permanent` when the message is no longer there
   */
  async open({ ref, role }: Pick<MailboxMessageRecord, 'ref' | 'role'>): Promise<void> {
    const { inbox, filed } = await this.#findFolders();
    const isSorted = SORTED_TABS.has(role);
    const opened = isSorted && inbox ? await this.session.move(ref, inbox) : ref;
    await this.session.markRead(opened, true);
    if (filed && (isSorted || role === 'inbox')) await this.#moveToFolder(opened, filed);
  }

  /** A message that the server refuses to move stays in the inbox, marked as read. */
  async #moveToFolder(ref: MessageRef, folder: string): Promise<void> {
    try {
      await this.session.move(ref, folder);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }

  #findFolders(): Promise<Folders> {
    this.#folders ??= getFolders(this.session);
    return this.#folders;
  }
}

interface Folders {
  readonly inbox: MessageRef['folder'] | null;
  /** Null without such a folder and without an archive: the message stays in the inbox. */
  readonly filed: MessageRef['folder'] | null;
}

async function getFolders(session: MailSession): Promise<Folders> {
  const folders = await session.listFolders();
  const idOf = (role: MailFolder['role']) => folders.find((folder) => folder.role === role)?.id ?? null;
  return { inbox: idOf('inbox'), filed: (await getOwnFolderName(session)) ?? idOf('archive') };
}

/** Null when the server refuses to create it: usually permanently, sometimes for a full account. */
async function getOwnFolderName(session: MailSession): Promise<string | null> {
  try {
    return (await session.ensureFolder(WARMUP_FOLDER)).id;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof MailError && error.failure === 'permanent';
}
