import { Global, Module } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { OutboundHttpClient, OutboundModule } from '@platform/outbound';
import { ClayToolDriver } from './clay/clay-tool.driver';
import { EnrichmentToolPort } from './port/enrichment-tool.port';

const TIMEOUT_MS = 15_000;

/** Provides the enrichment tool. Users set the URLs of its tables, so the guarded HTTP client is used. */
@Global()
@Module({
  imports: [OutboundModule],
  providers: [
    {
      provide: EnrichmentToolPort,
      useFactory: (http: OutboundHttpClient, clock: ClockPort) =>
        new ClayToolDriver(http, { timeoutMs: TIMEOUT_MS }, () => clock.now()),
      inject: [OutboundHttpClient, ClockPort],
    },
  ],
  exports: [EnrichmentToolPort],
})
export class EnrichmentToolModule {}
