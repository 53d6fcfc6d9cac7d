import { type TrackingHitRecord } from '../schemas/tracking-hit.record';

/** New records per kind (open, click, honeypot), email and minute in each API process. */
const MAX_PER_MINUTE = 60;
/** Records per email. Beyond it a few more per day are stored, so that a real open still shows. */
export const MAX_PER_EMAIL = 2_000;
const MAX_PER_DAY_BEYOND = 10;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Emails counted at a time. More of them in a minute are no attack on a single one. */
const MAX_EMAILS = 100_000;

/** Limits the records of one email: its links can become public, and clients can forge address and user agent. */
export class HitBudget {
  readonly #minute = new WindowCounter(MINUTE_MS);
  readonly #day = new WindowCounter(DAY_MS);

  /**
   * Reserves one new record; false when the budget is used up.
   * @param isFull whether the email has `MAX_PER_EMAIL` records
   */
  tryConsume(
    { sendId, kind, firstAt }: Pick<TrackingHitRecord, 'sendId' | 'kind' | 'firstAt'>,
    isFull: boolean,
  ): boolean {
    const email = sendId.toHexString();
    if (isFull && !this.#day.reserve(email, firstAt, MAX_PER_DAY_BEYOND)) return false;
    return this.#minute.reserve(email + kind, firstAt, MAX_PER_MINUTE);
  }
}

/** Counts by key in fixed time windows. */
class WindowCounter {
  readonly #counts = new Map<string, number>();
  #window = 0;

  constructor(private readonly lengthMs: number) {}

  reserve(key: string, at: Date, max: number): boolean {
    const window = Math.floor(at.getTime() / this.lengthMs);
    if (window !== this.#window || this.#counts.size >= MAX_EMAILS) this.#counts.clear();
    this.#window = window;
    const taken = this.#counts.get(key) ?? 0;
    if (taken >= max) return false;
    this.#counts.set(key, taken + 1);
    return true;
  }
}
