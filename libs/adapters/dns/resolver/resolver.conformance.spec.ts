import { FakeClock } from '@testing';
import { describeDns, type DnsWorld } from '../conformance/dns.conformance';
import { SANDBOX_ZONE } from '../conformance/sandbox.zone';
import { DnsServer } from '../testing/dns.server';
import { sandboxDns } from '../testing/sandbox.dns';
import { ResolverDns } from './resolver.dns';

async function scripted(resolves: boolean): Promise<DnsWorld> {
  const server = await DnsServer.start(SANDBOX_ZONE, { resolves });
  return { dns: new ResolverDns({ servers: [server.address] }, new FakeClock()), close: () => server.close() };
}

describeDns('A server that follows aliases', () => scripted(true));
describeDns('A server that follows none', () => scripted(false));
describeDns('NSD', () =>
  Promise.resolve({
    dns: new ResolverDns({ servers: [sandboxDns()] }, new FakeClock()),
    close: () => Promise.resolve(),
  }),
);
