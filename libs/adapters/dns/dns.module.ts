import { Global, Module } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { Dns } from './port/dns';
import { ResolverDns } from './resolver/resolver.dns';

/** Offers the domain name system, by way of the operator's resolvers. */
@Global()
@Module({
  providers: [
    {
      provide: Dns,
      useFactory: (config: Config, clock: ClockPort) => new ResolverDns({ servers: config.dnsServers }, clock),
      inject: [Config, ClockPort],
    },
  ],
  exports: [Dns],
})
export class DnsModule {}
