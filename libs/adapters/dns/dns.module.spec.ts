import { Test } from '@nestjs/testing';
import { ClockModule } from '@platform/clock';
import { Config, loadConfig } from '@platform/config';
import { Global, Module } from '@nestjs/common';
import { DnsModule } from './dns.module';
import { DnsPort } from './port/dns.port';
import { DnsServer } from './testing/dns-server';

describe('DnsModule', () => {
  it('queries the servers that the operator has configured', async () => {
    const server = await DnsServer.start({ 'example.com': { TXT: ['asked here'] } });
    const env = { MONGODB_URI: 'mongodb://db/x', REDIS_URL: 'redis://queue', SECRET_KEYS: 'k1:x' };
    const config = loadConfig({ ...env, DNS_SERVERS: server.address });
    @Global()
    @Module({ providers: [{ provide: Config, useValue: config }], exports: [Config] })
    class SettingsModule {}
    const module = await Test.createTestingModule({ imports: [SettingsModule, ClockModule, DnsModule] }).compile();
    expect(await module.get(DnsPort).query('example.com', 'TXT')).toMatchObject({ records: ['asked here'] });
    expect(server.queries).toHaveLength(1);
    await module.close();
    await server.close();
  });
});
