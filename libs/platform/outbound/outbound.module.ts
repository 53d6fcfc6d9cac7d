import { Global, Module } from '@nestjs/common';
import { Config } from '@platform/config';
import { AddressGuard } from './address.guard';
import { OutboundHttp } from './outbound.http';

/** Offers `OutboundHttp`, and `AddressGuard` for protocols other than HTTP, under the operator's address policy. */
@Global()
@Module({
  providers: [
    {
      provide: AddressGuard,
      useFactory: (config: Config) => new AddressGuard({ allowPrivate: config.outboundAllowPrivate }),
      inject: [Config],
    },
    {
      provide: OutboundHttp,
      useFactory: (config: Config) => new OutboundHttp({ allowPrivate: config.outboundAllowPrivate }),
      inject: [Config],
    },
  ],
  exports: [AddressGuard, OutboundHttp],
})
export class OutboundModule {}
