import { addDays, afterDelay, getDay, type SendingSchedule, startOfDay, type StepDelay } from '@platform/time';

/**
 * The days of a schedule's zone for moments that go forward: to ask the clocks of a zone for each of a hundred thousand
 * emails would take longer than all the rest of a simulation. The answers are those of `getDay` and `afterDelay`.
 */
export class ZoneDayCursor {
  #day = '';
  #from = 0;
  #to = 0;
  /** By delay: how much later than the email, for all emails of the day alike; null when it depends on the time of day. */
  readonly #shifts = new Map<StepDelay, number | null>();

  constructor(private readonly schedule: SendingSchedule) {}

  /** YYYY-MM-DD */
  dayOf(at: number): string {
    if (at < this.#from || at >= this.#to) this.#moveTo(at);
    return this.#day;
  }

  /** When a step is due whose predecessor was sent at this moment, in milliseconds since 1970. */
  afterDelay(sentAt: number, delay: StepDelay): number {
    this.dayOf(sentAt);
    const known = this.#shifts.get(delay);
    const shift = known === undefined ? this.#shiftOf(delay) : known;
    return shift === null ? this.#due(sentAt, delay) : sentAt + shift;
  }

  /**
   * In the course of a day the shift changes in one direction only, if at all (at a change of the clocks, or where hours
   * begin to reach into days that do not count): alike at both ends, it is alike in between.
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
