import { retryAfterMs } from '@platform/outbound';
import { type CrmReason } from '../port/crm.errors';
import { type CrmAnswer } from './crm-response';

/** The fault of a whole request. */
export interface CrmFault {
  readonly reason: CrmReason;
  /** The vendor's message; empty without one. */
  readonly sentence: string;
  readonly field?: string | null;
  readonly retryAfterMs?: number | null;
}

/** Differences between the APIs of vendors, as data and pure functions for `CrmHttpClient`. */
export interface CrmDialect {
  /** Name of the vendor, the start of error messages. */
  readonly vendor: string;
  /** The authorization headers for a key or access token. */
  authorisation(secret: string, kind: 'key' | 'token'): Readonly<Record<string, string>>;
  /** Classifies an unexpected response; null: by its status. */
  getFault(answer: CrmAnswer): CrmFault | null;
  /** Cooldown in milliseconds by the headers of a successful response; null without one. */
  getCooldownMs(answer: CrmAnswer): number | null;
}

/** The reason of a status without further details (RFC 9110, section 15). */
export function getStatusReason(status: number): CrmReason {
  if (status === 401) return 'unauthorised';
  if (status === 402 || status === 403) return 'forbidden';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status === 423 || status === 425 || status >= 500) return 'server';
  // A redirect does not come from the API.
  return status < 400 ? 'protocol' : 'rejected';
}

/** Longest accepted Retry-After in milliseconds: daily limits end within a day. */
const LONGEST_WAIT_MS = 86_400_000;

/** The `Retry-After` of an answer, in milliseconds; null without one. */
export function parseRetryAfterMs({ headers }: CrmAnswer, now: Date): number | null {
  const wait = retryAfterMs(headers['retry-after'], headers['date'] ?? now.toUTCString());
  return wait === null ? null : Math.min(LONGEST_WAIT_MS, wait);
}
