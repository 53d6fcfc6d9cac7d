import { DnsPort } from '@adapters/dns';
import { Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Config } from '@platform/config';
import { type OutboundError } from '@platform/outbound';
import { ZoneDnsDriver } from '../../../adapters/dns/testing';
import { MtaStsPolicyClient } from './mta-sts-policy.client';

const REFUSED_PORT = 1;
const ADDRESS = `http://mta-sts.example.com:${REFUSED_PORT}/`;

describe('the client for MTA-STS policies', () => {
  const dns = new ZoneDnsDriver();
  let module: TestingModule;

  async function open(outboundAllowPrivate: boolean): Promise<void> {
    const providers = [
      { provide: DnsPort, useValue: dns },
      { provide: Config, useValue: { outboundAllowPrivate } },
      MtaStsPolicyClient,
    ];
    @Module({ providers })
    class PolicyModule {}
    module = await Test.createTestingModule({ imports: [PolicyModule] }).compile();
  }
  afterEach(() => module.close());

  async function failure(): Promise<OutboundError> {
    const request = { url: ADDRESS, method: 'GET', timeoutMs: 10_000, maxResponseBytes: 1 } as const;
    return (await module
      .get(MtaStsPolicyClient)
      .request(request)
      .catch((error: unknown) => error)) as OutboundError;
  }

  it('connects to the address from its own DNS client, even when private networks are allowed', async () => {
    await open(true);
    dns.zone.change({ 'mta-sts.example.com': { A: ['127.0.0.1'] } });
    expect(await failure()).toMatchObject({ reason: 'connect' });
    expect(dns.queries.map(({ name, type, fresh }) => `${type} ${name} ${fresh}`)).toEqual([
      'AAAA mta-sts.example.com true',
      'A mta-sts.example.com true',
    ]);
  });

  it('connects to no private address unless that is allowed', async () => {
    await open(false);
    dns.zone.change({ 'mta-sts.example.com': { A: ['127.0.0.1'] } });
    expect(await failure()).toMatchObject({ reason: 'address_refused' });
  });

  it('accepts addresses of one family only', async () => {
    await open(false);
    dns.zone.change({ 'mta-sts.example.com': { A: ['127.0.0.1'], AAAA: 'timeout' } });
    expect(await failure()).toMatchObject({ reason: 'address_refused' });
  });

  it('distinguishes a host without an address from one for which DNS gives no answer', async () => {
    await open(false);
    dns.zone.change({ 'mta-sts.example.com': {} });
    expect(await failure()).toMatchObject({ reason: 'dns', retry: false });
    dns.zone.change({ 'mta-sts.example.com': { AAAA: 'servfail' } });
    expect(await failure()).toMatchObject({ reason: 'dns', retry: true });
  });
});
