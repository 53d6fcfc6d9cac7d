import { randomBytes } from 'node:crypto';

const SUFFIX_BYTES = 6;

/** A new id as clients know it: `<prefix>_<epoch milliseconds>_<12 hex characters>`. */
export function newJobCode(prefix: string, createdAt: Date): string {
  return `${prefix}_${createdAt.getTime()}_${randomBytes(SUFFIX_BYTES).toString('hex')}`;
}

/** Whether it has the form of such an id: anything else is not worth a question. */
export function isJobCode(text: string): boolean {
  return /^[a-z]{1,10}_\d{1,16}_[0-9a-f]{12}$/.test(text);
}
