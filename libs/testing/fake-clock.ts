import { ClockPort } from '@platform/clock';

/** A clock that runs in real time, is advanced by a test, or stands still. */
export class FakeClock extends ClockPort {
  #offsetMs = 0;
  #frozen: Date | undefined;
  /** The times that it showed, by real time: ahead by a fixed difference, or constant. */
  readonly #past: { since: number; offsetMs: number; frozen: Date | undefined }[] = [];

  now(): Date {
    return this.#frozen ? new Date(this.#frozen) : new Date(Date.now() + this.#offsetMs);
  }

  advance(milliseconds: number): void {
    if (this.#frozen) this.#frozen = new Date(this.#frozen.getTime() + milliseconds);
    else this.#offsetMs += milliseconds;
    this.#note();
  }

  freeze(at: Date): void {
    this.#frozen = new Date(at);
    this.#note();
  }

  /** Back to real time. */
  reset(): void {
    this.#offsetMs = 0;
    this.#frozen = undefined;
    this.#note();
  }

  /** Difference to real time in milliseconds. */
  get aheadMs(): number {
    return this.#frozen ? this.#frozen.getTime() - Date.now() : this.#offsetMs;
  }

  /** The time that this clock showed at a moment of real time, which other servers log. */
  shownAt(real: Date): Date {
    const { offsetMs, frozen } = this.#past.findLast(({ since }) => since <= real.getTime()) ?? { offsetMs: 0 };
    return frozen ? new Date(frozen) : new Date(real.getTime() + offsetMs);
  }

  #note(): void {
    this.#past.push({ since: Date.now(), offsetMs: this.#offsetMs, frozen: this.#frozen });
  }
}
