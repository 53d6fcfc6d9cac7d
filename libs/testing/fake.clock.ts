import { Clock } from '@platform/clock';

/** A clock that runs with real time, moved by as much as a test wants, or stands still. */
export class FakeClock extends Clock {
  #offsetMs = 0;
  #frozen: Date | undefined;

  now(): Date {
    return this.#frozen ? new Date(this.#frozen) : new Date(Date.now() + this.#offsetMs);
  }

  advance(milliseconds: number): void {
    if (this.#frozen) this.#frozen = new Date(this.#frozen.getTime() + milliseconds);
    else this.#offsetMs += milliseconds;
  }

  freeze(at: Date): void {
    this.#frozen = new Date(at);
  }

  /** Back to real time. */
  reset(): void {
    this.#offsetMs = 0;
    this.#frozen = undefined;
  }
}
