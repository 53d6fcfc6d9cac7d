import { ClockPort } from '@platform/clock';

/** A clock that runs at an offset from real time or is frozen. */
export class FakeClock extends ClockPort {
  #offsetMs = 0;
  #frozen: Date | undefined;
  /** History of its settings by real time: an offset, or a frozen time. */
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

  /** Offset from real time in milliseconds. */
  get aheadMs(): number {
    return this.#frozen ? this.#frozen.getTime() - Date.now() : this.#offsetMs;
  }

  /** Returns the time of this clock at a real time, which other servers record. */
  shownAt(real: Date): Date {
    const { offsetMs, frozen } = this.#past.findLast(({ since }) => since <= real.getTime()) ?? { offsetMs: 0 };
    return frozen ? new Date(frozen) : new Date(real.getTime() + offsetMs);
  }

  #note(): void {
    this.#past.push({ since: Date.now(), offsetMs: this.#offsetMs, frozen: this.#frozen });
  }
}
