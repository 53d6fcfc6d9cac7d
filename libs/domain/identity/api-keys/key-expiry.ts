import { invalidField } from '@platform/errors';

/**
 * The expiry of a new key; null for never. It is never later than `latest`, the expiry of the calling key (null for
 * never), which is also the default.
 * @throws VALIDATION_ERROR naming `expiresAt` for a time that is past or too late
 */
export function getExpiry(requested: string | undefined, now: Date, latest: Date | null): Date | null {
  if (requested === undefined) return latest;
  const expiresAt = new Date(requested);
  if (expiresAt <= now) throw invalidField('expiresAt', 'expiresAt must be in the future');
  if (latest !== null && expiresAt > latest)
    throw invalidField('expiresAt', `expiresAt must not be later than the expiry of this key, ${latest.toISOString()}`);
  return expiresAt;
}
