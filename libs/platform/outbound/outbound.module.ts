import { Global, Module } from '@nestjs/common';
import { Config } from '@platform/config';
import { AddressGuard, type AddressGuardOptions } from './address.guard';
import { OutboundHttp } from './outbound.http';

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
      useFactory: (config: Config) => new OutboundHttp(optionsOf(config)),
      inject: [Config],
    },
  ],
  exports: [AddressGuard, OutboundHttp],
})
export class OutboundModule {}

function optionsOf({ outboundAllowPrivate: allowPrivate, dnsServers }: Config): AddressGuardOptions {
  return { allowPrivate, dnsServers };
}
