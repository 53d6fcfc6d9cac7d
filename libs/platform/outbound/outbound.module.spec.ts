import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { MetricsService } from '@platform/observability';
import { Config } from '@platform/config';
import { getSeries } from '@testing';
import { OutboundAddressService } from './outbound-address.service';
import { OutboundHttpClient } from './outbound-http.client';
import { OutboundModule } from './outbound.module';
import { dnsServer } from './testing/dns-server';

const boot = (outboundAllowPrivate: boolean, dnsServers: readonly string[] = []) => {
  @Global()
  @Module({
    providers: [{ provide: Config, useValue: { outboundAllowPrivate, dnsServers } }, MetricsService],
    exports: [Config, MetricsService],
  })
  class FakeConfigModule {}
  return Test.createTestingModule({ imports: [FakeConfigModule, OutboundModule] }).compile();
};

describe('OutboundModule', () => {
  it.each([false, true])(
    'builds client and guard with the operator’s policy (private networks allowed: %s)',
    async (allow) => {
      const app = await boot(allow);
      const request = { url: 'http://127.0.0.1:1/', method: 'GET', timeoutMs: 20_000, maxResponseBytes: 1 } as const;
      const refused = allow ? 'connect' : 'address_refused';
      await expect(app.get(OutboundHttpClient).request(request)).rejects.toMatchObject({ reason: refused });
      expect(await getSeries(app, `outreach_outbound_request_duration_seconds_count{outcome="${refused}"}`)).toBe(1);
      const guarded = app.get(OutboundAddressService).resolve('10.0.0.1');
      if (allow) await expect(guarded).resolves.toEqual([{ address: '10.0.0.1', family: 4 }]);
      else await expect(guarded).rejects.toMatchObject({ reason: 'address_refused' });
      await app.close();
    },
  );

  it('resolves names with the configured DNS servers', async () => {
    const server = await dnsServer(() => ({ a: ['1.1.1.1'] }));
    const app = await boot(false, [server.address]);
    expect(await app.get(OutboundAddressService).resolve('receiver.example')).toEqual([
      { address: '1.1.1.1', family: 4 },
    ]);
    await app.close();
    server.close();
  });
});
