import { createHash } from 'node:crypto';
import { type MessageFlags } from '../port/changes';
import { type FolderRole } from '../port/folder';

/** The last report of a message. */
export interface Known {
  readonly receivedAt: Date;
  /** Role of its folder, null for other folders. */
  readonly role: FolderRole | null;
  readonly flags: MessageFlags;
}

/** Maximum messages of the index: some days of a busy mailbox, 17 kB of text in the cursor. */
const REMEMBERED = 1_000;

const KEY_BYTES = 8;
const ENTRY_BYTES = KEY_BYTES + 5;
const ROLES: readonly (FolderRole | null)[] = [
  null,
  'inbox',
  'promotions',
  'junk',
  'sent',
  'drafts',
  'trash',
  'archive',
  'all',
];
const FLAGS = ['seen', 'answered', 'flagged', 'draft'] as const;

/**
 * The messages that were reported last: a delta query of Graph returns an entry for every change without its kind, and repeats entries. A
 * moved message is removed from one folder and present in another, in any order. Only earlier reports distinguish a new message from a
 * changed one. The index keeps the most recently received messages; a change to an older one reports it as a message again. Entries are 8
 * bytes of a hash of the id, 4 of the time of receipt (seconds), 1 of role and flags.
 */
export class KnownMessageIndex {
  readonly #entries = new Map<string, Known>();

  /** @returns null for text that `toString` has not written */
  static parse(text: string): KnownMessageIndex | null {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length % ENTRY_BYTES !== 0 || bytes.toString('base64url') !== text) return null;
    const known = new KnownMessageIndex();
    for (let at = 0; at < bytes.length; at += ENTRY_BYTES) {
      const key = bytes.toString('latin1', at, at + KEY_BYTES);
      known.#entries.set(key, decodeEntry(bytes.readUInt32BE(at + KEY_BYTES), bytes.readUInt8(at + KEY_BYTES + 4)));
    }
    return known;
  }

  get(id: string): Known | undefined {
    return this.#entries.get(getKey(id));
  }

  set(id: string, known: Known): void {
    this.#entries.set(getKey(id), known);
  }

  delete(id: string): void {
    this.#entries.delete(getKey(id));
  }

  /** Removes the messages of a folder. */
  forget(role: FolderRole): void {
    for (const [key, known] of this.#entries) if (known.role === role) this.#entries.delete(key);
  }

  toString(): string {
    const entries = [...this.#entries];
    if (entries.length > REMEMBERED) {
      entries.sort(([, a], [, b]) => b.receivedAt.getTime() - a.receivedAt.getTime()).splice(REMEMBERED);
    }
    const bytes = Buffer.alloc(entries.length * ENTRY_BYTES);
    for (const [index, [key, known]] of entries.entries()) {
      const at = index * ENTRY_BYTES;
      bytes.write(key, at, 'latin1');
      bytes.writeUInt32BE(toSeconds(known.receivedAt), at + KEY_BYTES);
      bytes.writeUInt8(getState(known), at + KEY_BYTES + 4);
    }
    return bytes.toString('base64url');
  }
}

/** Whether two sets of flags are equal. */
export function hasSameFlags(a: MessageFlags, b: MessageFlags): boolean {
  return FLAGS.every((flag) => a[flag] === b[flag]);
}

function getKey(id: string): string {
  return createHash('sha256').update(id).digest().toString('latin1', 0, KEY_BYTES);
}

function toSeconds(date: Date): number {
  return Math.min(Math.max(Math.floor(date.getTime() / 1000), 0), 0xffff_ffff);
}

function getState({ role, flags }: Known): number {
  const bits = FLAGS.reduce((sum, flag, bit) => sum | (flags[flag] ? 1 << bit : 0), 0);
  return (Math.max(ROLES.indexOf(role), 0) << 4) | bits;
}

function decodeEntry(seconds: number, state: number): Known {
  const flag = (bit: number): boolean => (state & (1 << bit)) !== 0;
  return {
    receivedAt: new Date(seconds * 1000),
    role: ROLES[state >> 4] ?? null,
    flags: { seen: flag(0), answered: flag(1), flagged: flag(2), draft: flag(3) },
  };
}
