import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAccepted, type AcceptedMail } from './accepted-log.mts';

/** The origin of a message: SMTP, a simulated prospect, or a test. */
type Origin = 'smtp' | 'prospect' | 'api';

export interface StoredMessage {
  id: string;
  origin: Origin;
  /** ISO time. */
  time: string;
  from: string;
  to: string[];
  messageId: string;
  subject: string;
  size: number;
  /** For mail by SMTP: recipients whose copy is not in the inbox, each with its placement. */
  placed?: AcceptedMail['placed'];
}

export interface MessageFilter {
  to?: string;
  from?: string;
  messageId?: string;
  limit: number;
}

const TAIL_BYTES = 20_000_000;

/** Ids are file names: any other text is rejected as a path. */
const ID = /^[A-F0-9]{16}$/;

/** The newest messages: an index in memory, each message in its own file. Older ones are dropped. */
export class MessageStore {
  readonly #folder: string;
  readonly #keep: number;
  readonly #messages = new Map<string, StoredMessage>();

  private constructor(folder: string, keep: number) {
    this.#folder = folder;
    this.#keep = keep;
  }

  /** Loads the messages of an earlier run from `log`. */
  static async open(folder: string, log: string, keep: number): Promise<MessageStore> {
    const store = new MessageStore(folder, keep);
    await mkdir(folder, { recursive: true });
    for (const mail of parseAccepted(await tail(log)).slice(-keep)) {
      const { queueId, user: _user, answered: _answered, ...facts } = mail;
      if (ID.test(queueId)) store.#messages.set(queueId, { id: queueId, origin: 'smtp', ...facts });
    }
    await store.#removeUnlisted();
    return store;
  }

  get count(): number {
    return this.#messages.size;
  }

  newId(): string {
    return randomBytes(8).toString('hex').toUpperCase();
  }

  file(id: string): string {
    if (!ID.test(id)) throw new Error(`"${id}" is not the id of a message`);
    return join(this.#folder, `${id}.eml`);
  }

  write(id: string, raw: Buffer): Promise<void> {
    return writeFile(this.file(id), raw);
  }

  async discard(id: string): Promise<void> {
    this.#messages.delete(id);
    await unlink(this.file(id)).catch(() => {});
  }

  /** Makes a written message visible. */
  add(message: StoredMessage): void {
    this.#messages.set(message.id, message);
    for (const oldest of this.#messages.keys()) {
      if (this.#messages.size <= this.#keep) break;
      void this.discard(oldest);
    }
  }

  /** Removes files of an earlier run that have no entry. */
  async #removeUnlisted(): Promise<void> {
    const files = await readdir(this.#folder);
    const unlisted = files.filter((name) => !this.#messages.has(name.replace(/\.eml$/, '')));
    for (const name of unlisted) await unlink(join(this.#folder, name));
  }

  get(id: string): StoredMessage | undefined {
    return this.#messages.get(id);
  }

  async raw(id: string): Promise<Buffer | undefined> {
    return ID.test(id) ? await readFile(this.file(id)).catch(() => undefined) : undefined;
  }

  /** Newest first. Addresses match by part, the Message-ID completely with or without its angle brackets. */
  find({ to, from, messageId, limit }: MessageFilter): StoredMessage[] {
    const wanted = messageId && bare(messageId);
    const found: StoredMessage[] = [];
    for (const message of [...this.#messages.values()].toReversed()) {
      if (found.length >= limit) break;
      if (to && !message.to.some((one) => one.includes(to.toLowerCase()))) continue;
      if (from && !message.from.includes(from.toLowerCase())) continue;
      if (wanted && bare(message.messageId) !== wanted) continue;
      found.push(message);
    }
    return found;
  }
}

const bare = (messageId: string): string => messageId.trim().replace(/^<|>$/g, '');

async function tail(path: string): Promise<string> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) return '';
  const length = Math.min(size, TAIL_BYTES);
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString();
  } finally {
    await file.close();
  }
}
