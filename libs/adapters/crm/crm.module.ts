import { Global, Module } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { OutboundHttpClient, OutboundModule } from '@platform/outbound';
import { CrmDrivers } from './crm.drivers';
import { Crms } from './port/crm';

/** For one request. Batches of the vendors take some seconds when they are busy. */
const TIMEOUT_MS = 60_000;

/** Offers the CRMs. Their addresses come from users and from answers of vendors, and are reached as all that users give. */
@Global()
@Module({
  imports: [OutboundModule],
  providers: [
    {
      provide: Crms,
      useFactory: (http: OutboundHttpClient, clock: ClockPort) =>
        new CrmDrivers({ http, timeoutMs: TIMEOUT_MS, now: () => clock.now() }),
      inject: [OutboundHttpClient, ClockPort],
    },
  ],
  exports: [Crms],
})
export class CrmModule {}
