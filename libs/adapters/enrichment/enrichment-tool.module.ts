import { Global, Module } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { OutboundHttpClient, OutboundModule } from '@platform/outbound';
import { ClayTool } from './clay/clay.tool';
import { EnrichmentTool } from './port/enrichment.tool';

const TIMEOUT_MS = 15_000;

/** Offers the enrichment tool. Its tables are the workspaces' own: their addresses are reached as all that users give. */
@Global()
@Module({
  imports: [OutboundModule],
  providers: [
    {
      provide: EnrichmentTool,
      useFactory: (http: OutboundHttpClient, clock: ClockPort) =>
        new ClayTool(http, { timeoutMs: TIMEOUT_MS }, () => clock.now()),
      inject: [OutboundHttpClient, ClockPort],
    },
  ],
  exports: [EnrichmentTool],
})
export class EnrichmentToolModule {}
