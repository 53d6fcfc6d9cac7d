import { type TrackingHitRecord } from '../schemas/tracking-hit.record';

/** Records of one kind (opens, links, the trap) that one email begins in a minute, in each process of the API. */
const MOST_A_MINUTE = 60;
/** Records of one email. Whoever does more makes no new ones but these a day, so that a person is noticed all the same. */
export const MOST_OF_EMAIL = 2_000;
const MOST_A_DAY_BEYOND = 10;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Emails that are looked at together; more than that in a minute is no attack on one of them. */
const MOST_EMAILS = 100_000;

/** What one email may still store: its link may be anybody's, who may come from anywhere under any name. */
export class HitBudget {
  readonly #minute = new Tally(MINUTE_MS);
  readonly #day = new Tally(DAY_MS);

  /**
   * Takes the place of a new record; false when there is none left.
   * @param isFull the email has `MOST_OF_EMAIL` already
   */
  tryConsume(
    { sendId, kind, firstAt }: Pick<TrackingHitRecord, 'sendId' | 'kind' | 'firstAt'>,
    isFull: boolean,
  ): boolean {
    const email = sendId.toHexString();
    if (isFull && !this.#day.take(email, firstAt, MOST_A_DAY_BEYOND)) return false;
    return this.#minute.take(email + kind, firstAt, MOST_A_MINUTE);
  }
}

/** Counts by name, from the beginning of each stretch of time. */
class Tally {
  readonly #counts = new Map<string, number>();
  #stretch = 0;

  constructor(private readonly lengthMs: number) {}

  take(name: string, at: Date, most: number): boolean {
    const stretch = Math.floor(at.getTime() / this.lengthMs);
    if (stretch !== this.#stretch || this.#counts.size >= MOST_EMAILS) this.#counts.clear();
    this.#stretch = stretch;
    const taken = this.#counts.get(name) ?? 0;
    if (taken >= most) return false;
    this.#counts.set(name, taken + 1);
    return true;
  }
}
