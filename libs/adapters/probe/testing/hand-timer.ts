import { VirtualTimer } from '@testing';

/** A timer that tests advance. */
export class HandTimer extends VirtualTimer {
  constructor() {
    super(Date.parse('2026-03-02T09:00:00Z'));
  }

  /** The time so many milliseconds from now. */
  in(milliseconds: number): Date {
    return new Date(this.now() + milliseconds);
  }
}
