import { Global, Module } from '@nestjs/common';
import { Config } from '@platform/config';
import { Metrics } from '@platform/observability';
import { AddressGuard, type AddressGuardOptions } from './address.guard';
import { OutboundHttp, type OutboundHttpOptions } from './outbound.http';

/** Offers `OutboundHttp`, and `AddressGuard` for protocols other than HTTP, under the operator's address policy. */
@Global()
@Module({
  providers: [
    {
      provide: AddressGuard,
      useFactory: (config: Config) => new AddressGuard(optionsOf(config)),
      inject: [Config],
    },
    {
      provide: OutboundHttp,
      useFactory: (config: Config, metrics: Metrics) =>
        new OutboundHttp({ ...optionsOf(config), ...measuredBy(metrics) }),
      inject: [Config, Metrics],
    },
  ],
  exports: [AddressGuard, OutboundHttp],
})
export class OutboundModule {}

function optionsOf({ outboundAllowPrivate: allowPrivate, dnsServers }: Config): AddressGuardOptions {
  return { allowPrivate, dnsServers };
}

function measuredBy({ outboundRequests }: Metrics): Pick<OutboundHttpOptions, 'measured'> {
  return { measured: (outcome, seconds) => outboundRequests.observe({ outcome }, seconds) };
}
