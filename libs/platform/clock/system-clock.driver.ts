import { Injectable } from '@nestjs/common';
import { ClockPort } from './clock.port';

/** The clock of the operating system. */
@Injectable()
export class SystemClockDriver extends ClockPort {
  now(): Date {
    return new Date();
  }
}
