import { retryAfterMs } from '@platform/outbound';
import { type CrmReason } from '../port/crm.errors';
import { type CrmAnswer } from './crm-response';

/** What an answer says went wrong with the whole request. */
export interface CrmFault {
  readonly reason: CrmReason;
  /** The vendor's own sentence; empty where it has none. */
  readonly sentence: string;
  readonly field?: string | null;
  readonly retryAfterMs?: number | null;
}

/** How a vendor says what all of them have to say. Data and pure functions; `CrmHttpClient` does the rest. */
export interface CrmDialect {
  /** As people know the vendor: begins the messages of errors. */
  readonly vendor: string;
  /** The headers with which a key or an access token is shown. */
  authorisation(secret: string, kind: 'key' | 'token'): Readonly<Record<string, string>>;
  /** What a refusal means. Asked for every answer that is neither 2xx nor one that the request takes; null: its status has to say. */
  getFault(answer: CrmAnswer): CrmFault | null;
  /** Milliseconds for which the vendor wants nothing more, by the headers of an answer that was fine; null when there is room. */
  getCooldownMs(answer: CrmAnswer): number | null;
}

/** What a status means where nothing else says it (RFC 9110, section 15). */
export function getStatusReason(status: number): CrmReason {
  if (status === 401) return 'unauthorised';
  if (status === 402 || status === 403) return 'forbidden';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status === 423 || status === 425 || status >= 500) return 'server';
  // What redirects is not the API that it was said to be.
  return status < 400 ? 'protocol' : 'rejected';
}

/** Longest time that a vendor may ask us to wait (milliseconds): limits of a day end within one. */
const LONGEST_WAIT_MS = 86_400_000;

/** The `Retry-After` of an answer, in milliseconds; null without one. */
export function getRetryAfterMs({ headers }: CrmAnswer, now: Date): number | null {
  const wait = retryAfterMs(headers['retry-after'], headers['date'] ?? now.toUTCString());
  return wait === null ? null : Math.min(LONGEST_WAIT_MS, wait);
}
