import { invalidField } from '@platform/errors';

/** When a key stops working, as asked for; null for never. @throws VALIDATION_ERROR for a time that is past or no date */
export function expiryOf(asked: string | undefined, now: Date): Date | null {
  if (asked === undefined) return null;
  const expiresAt = new Date(asked);
  // ISO 8601 knows forms, week dates for one, that `Date` does not read.
  if (Number.isNaN(expiresAt.getTime()))
    throw invalidField('expiresAt', 'expiresAt must be a calendar date with a time and a zone');
  if (expiresAt <= now) throw invalidField('expiresAt', 'expiresAt must be in the future');
  return expiresAt;
}
