import { Global, Module } from '@nestjs/common';
import { ClockPort, SystemClock } from './clock.port';

@Global()
@Module({ providers: [{ provide: ClockPort, useClass: SystemClock }], exports: [ClockPort] })
export class ClockModule {}
