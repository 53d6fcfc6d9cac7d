import { DnsPort } from '@adapters/dns';
import { type DynamicModule, Module } from '@nestjs/common';
import { type ZoneDnsDriver, type ZoneTable } from '../../../../adapters/dns/testing';

/** One zone of each kind. */
export const ZONES = [
  { zone: 'bl.test', kind: 'ipv4', weight: 80, removalUrl: 'https://bl.test/out' },
  { zone: 'bl6.test', kind: 'ipv6', weight: 60 },
  { zone: 'dbl.test', kind: 'domain', weight: 100, removalUrl: 'https://dbl.test/out' },
] as const;
const LISTED = { A: ['127.0.0.2'] };
/** Correct test points of these zones. */
export const TEST_POINTS: ZoneTable = {
  '2.0.0.127.bl.test': LISTED,
  '2.0.0.0.0.0.f.7.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.bl6.test': LISTED,
  'test.dbl.test': LISTED,
};

/** A global module with this DNS. */
export function dnsModule(dns: ZoneDnsDriver): DynamicModule {
  @Module({})
  class DnsForTests {}
  return { module: DnsForTests, global: true, providers: [{ provide: DnsPort, useValue: dns }], exports: [DnsPort] };
}
