import { FakeClock, sandboxDns } from '@testing';
import { describeDns, type DnsTestEnvironment } from '../conformance/dns-conformance';
import { SANDBOX_ZONE } from '../conformance/sandbox-zone';
import { DnsServer } from '../testing/dns-server';
import { ResolverDnsDriver } from './resolver-dns.driver';

/** The timeout is long, because every answer arrives, even if late on a busy machine. */
const PATIENT = { firstWaitMs: 10_000, timeoutMs: 60_000 };

async function scripted(resolves: boolean): Promise<DnsTestEnvironment> {
  const server = await DnsServer.start(SANDBOX_ZONE, { resolves });
  return {
    dns: new ResolverDnsDriver({ servers: [server.address], ...PATIENT }, new FakeClock()),
    close: () => server.close(),
  };
}

describeDns('A server that follows aliases', () => scripted(true));
describeDns('A server that follows none', () => scripted(false));
describeDns('NSD', () =>
  Promise.resolve({
    dns: new ResolverDnsDriver({ servers: [sandboxDns()], ...PATIENT }, new FakeClock()),
    close: () => Promise.resolve(),
  }),
);
