import { Global, Module } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { OutboundHttpClient, OutboundModule } from '@platform/outbound';
import { CrmDrivers } from './crm-drivers';
import { CrmPort } from './port/crm.port';

/** For one request. Batches of the vendors take some seconds when they are busy. */
const TIMEOUT_MS = 60_000;

/** Offers the CRMs. Their addresses come from users and from answers of vendors, and are reached as all that users give. */
@Global()
@Module({
  imports: [OutboundModule],
  providers: [
    {
      provide: CrmPort,
      useFactory: (http: OutboundHttpClient, clock: ClockPort) =>
        new CrmDrivers({ http, timeoutMs: TIMEOUT_MS, now: () => clock.now() }),
      inject: [OutboundHttpClient, ClockPort],
    },
  ],
  exports: [CrmPort],
})
export class CrmModule {}
