import { createHash, randomBytes } from 'node:crypto';
import { type KeySecret } from './schemas/key-record';

export type KeyKind = 'user' | 'workspace';

const PREFIX: Record<KeyKind, string> = { user: 'sk_user_', workspace: 'sk_' };
/** Longer than any key; a longer text is not worth hashing. */
const MAX_LENGTH = 200;

/** A new secret (256 random bits) and its stored form. */
export function createKeySecret(kind: KeyKind): { key: string; stored: KeySecret } {
  const key = PREFIX[kind] + randomBytes(32).toString('hex');
  return { key, stored: { hash: hashKey(key), last4: key.slice(-4), expiresAt: null } };
}

/** The kind that a presented key claims to be, and its hash. An invalid key costs the same work. */
export function parsePresentedKey(secret: unknown): { kind: KeyKind; hash: string } {
  const text = typeof secret === 'string' && secret.length <= MAX_LENGTH ? secret : '';
  return { kind: text.startsWith(PREFIX.user) ? 'user' : 'workspace', hash: hashKey(text) };
}

/** Whether the key is usable now with the secret of this hash. */
export function isUsable(
  key: { secrets: readonly KeySecret[]; expiresAt: Date | null; revokedAt: Date | null },
  hash: string,
  now: Date,
): boolean {
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) return false;
  return key.secrets.some((secret) => secret.hash === hash && (secret.expiresAt === null || secret.expiresAt > now));
}

/** Most secrets of a key at a time: each slows down every request with the key. */
const MAX_OVERLAPPING = 3;

/**
 * The secrets after a rotation: the new one, then the previous ones until the end of the overlap or their own earlier
 * expiry. Beyond three, the oldest are dropped.
 */
export function rotateSecrets(
  secrets: readonly KeySecret[],
  fresh: KeySecret,
  now: Date,
  overlapMs: number,
): KeySecret[] {
  const end = new Date(now.getTime() + overlapMs);
  const overlapping = secrets
    .map((secret) => ({
      ...secret,
      expiresAt: secret.expiresAt !== null && secret.expiresAt < end ? secret.expiresAt : end,
    }))
    .filter(({ expiresAt }) => expiresAt > now);
  return [fresh, ...overlapping].slice(0, MAX_OVERLAPPING);
}

function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
