import { Global, Module } from '@nestjs/common';
import { ClockPort } from './clock.port';
import { SystemClockDriver } from './system-clock.driver';

@Global()
@Module({ providers: [{ provide: ClockPort, useClass: SystemClockDriver }], exports: [ClockPort] })
export class ClockModule {}
