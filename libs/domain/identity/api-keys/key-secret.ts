import { createHash, randomBytes } from 'node:crypto';
import { type KeySecret } from './schemas/key-fields';

export type KeyKind = 'user' | 'workspace';

const PREFIX: Record<KeyKind, string> = { user: 'sk_user_', workspace: 'sk_' };
/** Longer than any key; more is not worth hashing. */
const MAX_LENGTH = 200;

/** A new secret (256 random bits) and what is stored of it. */
export function newKeySecret(kind: KeyKind): { key: string; stored: KeySecret } {
  const key = PREFIX[kind] + randomBytes(32).toString('hex');
  return { key, stored: { hash: keyHash(key), last4: key.slice(-4), expiresAt: null } };
}

/** Of which kind a presented key claims to be, and its hash. Whatever else is presented costs the same. */
export function parsePresentedKey(secret: unknown): { kind: KeyKind; hash: string } {
  const text = typeof secret === 'string' && secret.length <= MAX_LENGTH ? secret : '';
  return { kind: text.startsWith(PREFIX.user) ? 'user' : 'workspace', hash: keyHash(text) };
}

/** Whether the key may be used now through the secret with this hash. */
export function isUsable(
  key: { secrets: readonly KeySecret[]; expiresAt: Date | null; revokedAt: Date | null },
  hash: string,
  now: Date,
): boolean {
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) return false;
  return key.secrets.some((secret) => secret.hash === hash && (secret.expiresAt === null || secret.expiresAt > now));
}

/** Of secrets that overlap, more would only slow down every request with the key. */
const MAX_OVERLAPPING = 3;

/**
 * The secrets after a rotation: the new one, and the ones before for the time of the overlap or for what is left of
 * theirs. The oldest make room when there are more than three.
 */
export function rotated(secrets: readonly KeySecret[], fresh: KeySecret, now: Date, overlapMs: number): KeySecret[] {
  const end = new Date(now.getTime() + overlapMs);
  const kept = secrets
    .map((secret) => ({
      ...secret,
      expiresAt: secret.expiresAt !== null && secret.expiresAt < end ? secret.expiresAt : end,
    }))
    .filter(({ expiresAt }) => expiresAt > now);
  return [fresh, ...kept].slice(0, MAX_OVERLAPPING);
}

function keyHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
