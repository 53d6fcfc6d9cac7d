import { DnsPort, DnsModule } from '@adapters/dns';
import { Test } from '@nestjs/testing';
import { ClockModule } from '@platform/clock';
import { Config } from '@platform/config';
import { OutboundAddressService } from '@platform/outbound';
import { FakeClock, testConfig } from '@testing';
import { DnsServer, type ZoneTable } from '../../../adapters/dns/testing';
import { FakeProbeDriver } from '../../../adapters/probe/testing';
import { MailDomainsService } from './domain/mail-domains.service';
import { EmailVerificationService } from './email-verification.service';

/** `verify` charges no credits. */
const NO_CREDITS = {} as never;

const DOMAINS = 20;
const ADDRESSES = 5_000;

/** Half of the domains share a host, a few accept no mail or do not exist, and one has a failing resolver. */
function zone(): ZoneTable {
  const table: Record<string, ZoneTable[string]> = { 'mx.shared.example': { A: ['8.8.4.4'] } };
  for (let at = 0; at < DOMAINS; at += 1) {
    const own = at % 2 === 0 ? 'mx.shared.example' : `mx.d${at}.example`;
    if (at < 16) table[`d${at}.example`] = { MX: [{ exchange: own, priority: 10 }] };
    if (at < 16 && at % 2 === 1) table[own] = { A: ['8.8.8.8'] };
  }
  return { ...table, 'd16.example': { MX: [{ exchange: '', priority: 0 }] }, 'd17.example': 'servfail' };
}

it(`asks about each of ${DOMAINS} domains once for ${ADDRESSES} addresses, counted at the server`, async () => {
  const server = await DnsServer.start(zone());
  const module = await Test.createTestingModule({
    imports: [{ module: class {}, global: true, providers: [Config], exports: [Config] }, ClockModule, DnsModule],
  })
    .overrideProvider(Config)
    .useValue(testConfig({ DNS_SERVERS: server.address }))
    .compile();
  const probe = new FakeProbeDriver();
  probe.isOn = false;
  const clock = new FakeClock();
  const domains = new MailDomainsService(
    module.get(DnsPort),
    new OutboundAddressService({ allowPrivate: false }),
    clock,
  );
  const verifier = new EmailVerificationService(domains, probe, NO_CREDITS, clock);
  const addresses = Array.from({ length: ADDRESSES }, (_, at) => `person${at}@d${at % DOMAINS}.example`);
  const found = await Promise.all(addresses.map((email) => verifier.verify(email, { deadline: clock.in(60_000) })));

  const counts = new Map<string, number>();
  for (const { reasons } of found) counts.set(reasons.join(' '), (counts.get(reasons.join(' ')) ?? 0) + 1);
  const each = ADDRESSES / DOMAINS;
  expect(Object.fromEntries(counts)).toEqual({
    mailbox_not_asked: 16 * each,
    null_mx: each,
    dns_no_answer: each,
    domain_not_found: 2 * each,
  });
  const asked = server.queries.map(({ name, type }) => `${type} ${name}`);
  // One MX query per domain and one address query per host; the resolver may repeat failed queries.
  const hosts = 1 + 8;
  expect(new Set(asked).size).toBe(DOMAINS + hosts);
  expect(asked.filter((question) => !question.endsWith('d17.example'))).toHaveLength(DOMAINS - 1 + hosts);
  await module.close();
  await server.close();
});
