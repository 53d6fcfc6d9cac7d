import { writeFileSync } from 'node:fs';
import { link, mkdir, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** An address or folder name that cannot be a mailbox here. */
export class MailboxNameError extends Error {}

const LONGEST_NAME = 200;
const CREATED_AT_ONCE = 250;

/**
 * The folder of an address below the mail folder: one path segment for any address. Characters that Dovecot
 * accepts in user names stay, others are percent-encoded, so different addresses never share a folder.
 */
export function mailboxFolder(address: string): string {
  const name = address.toLowerCase().replace(/[^a-z0-9._@+=-]/gu, (char) => encodeBytes(char));
  if (name === '') throw new MailboxNameError('an empty address has no mailbox');
  if (name.length > LONGEST_NAME) throw new MailboxNameError('the address is too long for a mailbox');
  return /^\.+$/.test(name) ? encodeBytes(name) : name;
}

function encodeBytes(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** The folder of an IMAP folder inside a Maildir (layout "fs"). */
export function folderPath(maildir: string, folder: string): string {
  if (/^inbox$/i.test(folder)) return maildir;
  const parts = folder.split('/');
  const bad = parts.some((part) => !/^[A-Za-z0-9][A-Za-z0-9 _-]{0,60}$/.test(part) || /^(?:cur|new|tmp)$/.test(part));
  if (bad || parts.length > 5) throw new MailboxNameError(`"${folder}" cannot be a folder here`);
  return join(maildir, ...parts);
}

/** The mail folder of the IMAP server: `<root>/<address>/Maildir`. */
export class Maildirs {
  readonly #root: string;
  readonly #known = new Set<string>();
  #delivered = 0;

  constructor(root: string) {
    this.#root = root;
  }

  maildir(address: string): string {
    return join(this.#root, mailboxFolder(address), 'Maildir');
  }

  /**
   * Puts a complete file into a mailbox, which is created when it does not exist. A hard link appears at once or not at
   * all, so a reader never sees half a message. Returns the name of the file.
   */
  async deliver(address: string, file: string, folder = 'INBOX'): Promise<string> {
    const path = folderPath(this.maildir(address), folder);
    const name = this.#nextName();
    await this.#ensure(path);
    try {
      await link(file, join(path, 'new', name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // The mailbox was deleted meanwhile.
      this.#known.delete(path);
      await this.#ensure(path);
      await link(file, join(path, 'new', name));
    }
    return name;
  }

  /** Creates a folder and its mailbox if they do not exist. */
  async makeFolder(address: string, folder: string): Promise<void> {
    const path = folderPath(this.maildir(address), folder);
    this.#known.delete(path);
    await this.#ensure(path);
  }

  /** Writes `count` messages at some 20 000 a second; `make` gives the n-th one. */
  async deliverMany(address: string, folder: string, count: number, make: (n: number) => string): Promise<void> {
    const path = folderPath(this.maildir(address), folder);
    await this.#ensure(path);
    for (let n = 0; n < count; n++) {
      // The file has no readers yet and is written in one call; a temporary file in tmp takes twice as
      // long.
      writeFileSync(join(path, 'cur', `${this.#nextName()}:2,`), make(n));
      if (n % CREATED_AT_ONCE === 0) await new Promise((done) => setImmediate(done));
    }
  }

  /** Deletes a mailbox with its content; returns whether it existed. */
  async remove(address: string): Promise<boolean> {
    const folder = dirname(this.maildir(address));
    const existed = (await readdir(folder).catch(() => undefined)) !== undefined;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    this.#forget(folder);
    return existed;
  }

  /**
   * Makes the IMAP server forget the UIDs of a folder: its next SELECT has another UIDVALIDITY and numbers from 1.
   * Only while no client has the folder open: an open connection keeps the old numbers.
   */
  async renewUidValidity(address: string, folder = 'INBOX'): Promise<void> {
    const maildir = this.maildir(address);
    const path = folderPath(maildir, folder);
    const files = await readdir(path).catch(() => {
      throw new MailboxNameError(`there is no folder ${folder} of ${address}`);
    });
    const index = files.filter((name) => name === 'dovecot-uidlist' || name.startsWith('dovecot.index'));
    await Promise.all(index.map((name) => unlink(join(path, name)).catch(() => {})));
    // Dovecot starts with seconds since 1970: this value exceeds them and grows with each call.
    const next = (Math.floor(Date.now() / 1000) + ++this.#delivered).toString(16).padStart(8, '0');
    const old = (await readdir(maildir)).filter((name) => name.startsWith('dovecot-uidvalidity'));
    await Promise.all(old.map((name) => unlink(join(maildir, name)).catch(() => {})));
    await writeFile(join(maildir, `dovecot-uidvalidity.${next}`), '');
    await writeFile(join(maildir, 'dovecot-uidvalidity'), next);
  }

  #nextName(): string {
    const now = Date.now();
    const micros = String((now % 1000) * 1000).padStart(6, '0');
    return `${Math.floor(now / 1000)}.M${micros}P${process.pid}Q${++this.#delivered}.sandbox`;
  }

  async #ensure(path: string): Promise<void> {
    if (this.#known.has(path)) return;
    // The server's own process may create the same folders concurrently.
    for (const part of ['tmp', 'cur', 'new']) await mkdir(join(path, part), { recursive: true, mode: 0o700 });
    this.#known.add(path);
  }

  #forget(folder: string): void {
    for (const path of this.#known) if (path.startsWith(`${folder}/`)) this.#known.delete(path);
  }
}
