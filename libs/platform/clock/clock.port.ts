import { Injectable } from '@nestjs/common';

/** The only source of the current time in domain code, so that tests can set it. */
export abstract class ClockPort {
  abstract now(): Date;

  /** `now` moved by a number of milliseconds, which may be negative. */
  in(milliseconds: number): Date {
    return new Date(this.now().getTime() + milliseconds);
  }
}

@Injectable()
export class SystemClock extends ClockPort {
  now(): Date {
    return new Date();
  }
}
