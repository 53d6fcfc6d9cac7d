import { Global, Module } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { OutboundHttpClient, OutboundModule } from '@platform/outbound';
import { CrmDrivers } from './crm-drivers';
import { CrmPort } from './port/crm.port';

/** Timeout of a request. Batches take some seconds at busy vendors. */
const TIMEOUT_MS = 60_000;

/** Provides the CRMs. Their URLs come from users and vendors, so they use the guarded HTTP client. */
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
