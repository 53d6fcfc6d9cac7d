import { ClockPort } from '@platform/clock';

/** A clock that runs with real time, moved by as much as a test wants, or stands still. */
export class FakeClock extends ClockPort {
  #offsetMs = 0;
  #frozen: Date | undefined;
  /** What it has shown since when, by real time: so much more than the real time, or always the same. */
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

  /** By how much it is ahead of real time, in milliseconds. */
  get aheadMs(): number {
    return this.#frozen ? this.#frozen.getTime() - Date.now() : this.#offsetMs;
  }

  /** What this clock showed at a moment of real time, which is the time that servers beside the platform write down. */
  shownAt(real: Date): Date {
    const { offsetMs, frozen } = this.#past.findLast(({ since }) => since <= real.getTime()) ?? { offsetMs: 0 };
    return frozen ? new Date(frozen) : new Date(real.getTime() + offsetMs);
  }

  #note(): void {
    this.#past.push({ since: Date.now(), offsetMs: this.#offsetMs, frozen: this.#frozen });
  }
}
