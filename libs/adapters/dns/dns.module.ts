import { Global, Module } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { DnsPort } from './port/dns.port';
import { ResolverDnsDriver } from './resolver/resolver-dns.driver';

/** Provides DNS through the operator's resolvers. */
@Global()
@Module({
  providers: [
    {
      provide: DnsPort,
      useFactory: (config: Config, clock: ClockPort) => new ResolverDnsDriver({ servers: config.dnsServers }, clock),
      inject: [Config, ClockPort],
    },
  ],
  exports: [DnsPort],
})
export class DnsModule {}
