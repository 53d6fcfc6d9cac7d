import { MailError, type MailFolder, type MailSession, type MessageRef } from '@adapters/mail';
import { type MailboxMessageRecord } from '@domain/mailboxes';

/** Folder of the mailbox in which warmup mail is kept, out of its owner's way. */
const WARMUP_FOLDER = 'Warmup';

const MOST_BYTES = 262_144;

const SORTED_TABS: ReadonlySet<MailboxMessageRecord['role']> = new Set(['junk', 'promotions'] as const);

/** Opens mail in one mailbox, as its owner would. */
export class WarmupMailOpener {
  #folders: Promise<Folders> | undefined;

  constructor(private readonly session: MailSession) {}

  /** The message as it came; null when it is larger than mail of warmup ever is. */
  async read({ ref, size }: Pick<MailboxMessageRecord, 'ref' | 'size'>): Promise<Buffer | null> {
    return size > MOST_BYTES ? null : this.session.fetchRaw(ref, { maxBytes: 2 * MOST_BYTES });
  }

  /**
   * Moves a message that was sorted into spam or promotions to the inbox, marks it as read, and files it. What its owner has put
   * elsewhere is left there. May be done again.
   * @throws MailError `permanent` when it is not there any more
   */
  async open({ ref, role }: Pick<MailboxMessageRecord, 'ref' | 'role'>): Promise<void> {
    const { inbox, filed } = await this.#findFolders();
    const isSorted = SORTED_TABS.has(role);
    const opened = isSorted && inbox ? await this.session.move(ref, inbox) : ref;
    await this.session.markRead(opened, true);
    if (filed && (isSorted || role === 'inbox')) await this.#moveToFolder(opened, filed);
  }

  /** What the server does not want to move any further stays in the inbox, read. */
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
  /** null where there is neither a folder for it nor an archive: then it stays in the inbox. */
  readonly filed: MessageRef['folder'] | null;
}

async function getFolders(session: MailSession): Promise<Folders> {
  const folders = await session.listFolders();
  const idOf = (role: MailFolder['role']) => folders.find((folder) => folder.role === role)?.id ?? null;
  return { inbox: idOf('inbox'), filed: (await getOwnFolderName(session)) ?? idOf('archive') };
}

/** null when the server does not want it: most of them say so for good, a few for a full account. */
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
