import { randomBytes } from 'node:crypto';

const SUFFIX_BYTES = 6;

/** Creates the id of a job in the API: `<prefix>_<epoch milliseconds>_<12 hex characters>`. */
export function createJobCode(prefix: string, createdAt: Date): string {
  return `${prefix}_${createdAt.getTime()}_${randomBytes(SUFFIX_BYTES).toString('hex')}`;
}

/** Whether the text has the form of such an id; anything else needs no query. */
export function isJobCode(text: string): boolean {
  return /^[a-z]{1,10}_\d{1,16}_[0-9a-f]{12}$/.test(text);
}
