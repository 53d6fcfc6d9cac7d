import { addDays, afterDelay, getDay, type SendingSchedule, startOfDay, type StepDelay } from '@platform/time';

/**
 * The days in a schedule's zone, for moments in ascending order. Zone calculations for each of a hundred thousand
 * emails would take most of a simulation's time. The results equal those of `getDay` and `afterDelay`.
 */
export class ZoneDayCursor {
  #day = '';
  #from = 0;
  #to = 0;
  /**
   * By delay: the time between an email and its next step, if it is the same for all emails of the day; null if it
   * depends on the time of day.
   */
  readonly #shifts = new Map<StepDelay, number | null>();

  constructor(private readonly schedule: SendingSchedule) {}

  /** YYYY-MM-DD */
  dayOf(at: number): string {
    if (at < this.#from || at >= this.#to) this.#moveTo(at);
    return this.#day;
  }

  /** Returns when the next step is due after an email sent at this moment, in milliseconds since 1970. */
  afterDelay(sentAt: number, delay: StepDelay): number {
    this.dayOf(sentAt);
    const known = this.#shifts.get(delay);
    const shift = known === undefined ? this.#shiftOf(delay) : known;
    return shift === null ? this.#due(sentAt, delay) : sentAt + shift;
  }

  /**
   * Within a day the shift changes in one direction at most: at a clock change, or where hours begin to reach into
   * excluded days. If it is equal at both ends of the day, it is equal in between.
   */
  #shiftOf(delay: StepDelay): number | null {
    const first = this.#due(this.#from, delay) - this.#from;
    const last = this.#due(this.#to - 1, delay) - (this.#to - 1);
    const shift = first === last ? first : null;
    this.#shifts.set(delay, shift);
    return shift;
  }

  #due(sentAt: number, delay: StepDelay): number {
    return afterDelay(new Date(sentAt), delay, this.schedule).getTime();
  }

  #moveTo(at: number): void {
    const { timezone } = this.schedule;
    this.#day = getDay(new Date(at), timezone);
    this.#from = startOfDay(this.#day, timezone).getTime();
    this.#to = startOfDay(addDays(this.#day, 1), timezone).getTime();
    this.#shifts.clear();
  }
}
