import { Global, Module } from '@nestjs/common';
import { Config } from '@platform/config';
import { MetricsService } from '@platform/observability';
import { OutboundAddressService, type AddressGuardOptions } from './outbound-address.service';
import { OutboundHttpClient, type OutboundHttpOptions } from './outbound-http.client';

/** Provides `OutboundHttpClient`, and `OutboundAddressService` for protocols other than HTTP, under the operator's address policy. */
@Global()
@Module({
  providers: [
    {
      provide: OutboundAddressService,
      useFactory: (config: Config) => new OutboundAddressService(toGuardOptions(config)),
      inject: [Config],
    },
    {
      provide: OutboundHttpClient,
      useFactory: (config: Config, metrics: MetricsService) =>
        new OutboundHttpClient({ ...toGuardOptions(config), ...createMeasurement(metrics) }),
      inject: [Config, MetricsService],
    },
  ],
  exports: [OutboundAddressService, OutboundHttpClient],
})
export class OutboundModule {}

function toGuardOptions({ outboundAllowPrivate: allowPrivate, dnsServers }: Config): AddressGuardOptions {
  return { allowPrivate, dnsServers };
}

function createMeasurement({ outboundRequests }: MetricsService): Pick<OutboundHttpOptions, 'measured'> {
  return { measured: (outcome, seconds) => outboundRequests.observe({ outcome }, seconds) };
}
