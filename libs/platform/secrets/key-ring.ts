import { hkdfSync } from 'node:crypto';
import { KeyRingError } from './secrets.errors';

const KEY_ID = /^[a-z0-9-]{1,16}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]+|[A-Za-z0-9_-]+)={0,2}$/;
const KEY_BYTES = 32;

/** Purposes are constants, so a ring derives a few; the bound guards against a caller with variable purposes. */
const MAX_CACHED_SUBKEYS = 256;

/**
 * The master keys of an installation. The first one encrypts and signs, all of them decrypt and verify. To rotate, add a new
 * key in front, re-encrypt all secrets, and remove the old key.
 *
 * Master keys never leave this class. Callers get one subkey per purpose (HKDF-SHA-256, RFC 5869), so that encryption
 * and signing share a ring without weakening each other. Private fields keep the keys out of logs and JSON.
 */
export class KeyRing {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #subkeys = new Map<string, Buffer>();

  private constructor(
    /** Id of the key that encrypts and signs. */
    readonly currentId: string,
    keys: ReadonlyMap<string, Buffer>,
  ) {
    this.#keys = keys;
  }

  /**
   * Parses `k2:<base64 of 32 bytes>,k1:<base64 of 32 bytes>`, current key first. Ids are `[a-z0-9-]{1,16}` and unique;
   * both base64 alphabets are accepted, padded or not; spaces around entries are ignored.
   * @throws KeyRingError with every problem by position, without key material.
   */
  static parse(text: string): KeyRing {
    const keys = new Map<string, Buffer>();
    const problems: string[] = [];
    for (const [index, entry] of text.split(',').entries()) {
      const parsed = parseEntry(entry.trim());
      if (typeof parsed === 'string') problems.push(`entry ${index + 1}: ${parsed}`);
      else if (keys.has(parsed.id)) problems.push(`entry ${index + 1}: id ${parsed.id} is used twice`);
      else keys.set(parsed.id, parsed.key);
    }
    const [currentId] = keys.keys();
    if (problems.length > 0 || currentId === undefined) throw new KeyRingError(problems);
    return new KeyRing(currentId, keys);
  }

  /** Whether the ring holds the key of that id. */
  has(id: string): boolean {
    return this.#keys.has(id);
  }

  /** The ids of all keys, the current one first. */
  get ids(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /**
   * The 32-byte subkey of one master key for one purpose, or null when the ring does not hold the key. The same id and
   * purpose always give the same subkey; different purposes give unrelated ones.
   */
  subkey(id: string, purpose: string): Buffer | null {
    const master = this.#keys.get(id);
    if (master === undefined) return null;
    // A key id has no space, so the pair is unambiguous.
    const cacheKey = `${id} ${purpose}`;
    const cached = this.#subkeys.get(cacheKey);
    if (cached !== undefined) return cached;
    const derived = Buffer.from(hkdfSync('sha256', master, '', purpose, KEY_BYTES));
    if (this.#subkeys.size >= MAX_CACHED_SUBKEYS) this.#subkeys.clear();
    this.#subkeys.set(cacheKey, derived);
    return derived;
  }
}

/** Parses an `id:base64` entry, or returns its problem. A malformed id may be a key, so it is not echoed. */
function parseEntry(entry: string): { id: string; key: Buffer } | string {
  if (entry === '') return 'is empty';
  const colon = entry.indexOf(':');
  if (colon < 0) return 'has no id, expected id:base64';
  const id = entry.slice(0, colon);
  if (!KEY_ID.test(id)) return 'has an id that is not 1 to 16 of a-z, 0-9 and -';
  const encoded = entry.slice(colon + 1);
  if (!BASE64.test(encoded)) return `key ${id} is not base64`;
  const key = Buffer.from(encoded, 'base64');
  if (key.length !== KEY_BYTES) return `key ${id} has ${key.length} bytes instead of ${KEY_BYTES}`;
  return { id, key };
}
