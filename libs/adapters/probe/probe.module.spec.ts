import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ClockModule } from '@platform/clock';
import { Config, loadConfig } from '@platform/config';
import { SecretsModule } from '@platform/secrets';
import { DnsModule } from '@adapters/dns';
import { eventually } from '../../testing/eventually';
import { DnsServer } from '../dns/testing';
import { MailboxProbePort } from './port/mailbox-probe.port';
import { ProbeModule } from './probe.module';
import { MxServer } from './testing';

const ENV = {
  MONGODB_URI: 'mongodb://db/x',
  REDIS_URL: 'redis://queue',
  SECRET_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  PUBLIC_URL: 'https://outreach.example',
};

describe('ProbeModule', () => {
  const opened: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const thing of opened.splice(0)) await thing.close();
  });

  /** The probe with the operator's settings, for a server on loopback. */
  async function probeWith(settings: Readonly<Record<string, string>>) {
    const dns = await DnsServer.start({ 'mx.example.com': { A: ['127.0.0.1'] } });
    const server = await MxServer.start({ mailboxes: { 'ada@example.com': 'exists' } });
    const port = { VERIFICATION_PROBE_PORT: String(server.smtp.port) };
    const config = loadConfig({ ...ENV, DNS_SERVERS: dns.address, ...port, ...settings });
    @Global()
    @Module({ providers: [{ provide: Config, useValue: config }], exports: [Config] })
    class SettingsModule {}
    const imports = [SettingsModule, ClockModule, SecretsModule, DnsModule, ProbeModule];
    const module = await Test.createTestingModule({ imports }).compile();
    opened.push(module, server, dns);
    const probe = module.get(MailboxProbePort);
    const ask = (address: string) =>
      probe.ask({ address, hosts: ['mx.example.com'], deadline: new Date(Date.now() + 60_000), askCatchAll: false });
    return { probe, server, ask };
  }

  const ON = { VERIFICATION_PROBE: 'on', OUTBOUND_ALLOW_PRIVATE: 'true', VERIFICATION_PROBE_GAP_MS: '0' };

  it('contacts no server unless the operator has allowed it', async () => {
    const { probe, ask } = await probeWith({ OUTBOUND_ALLOW_PRIVATE: 'true' });
    expect(probe.isOn).toBe(false);
    await expect(ask('ada@example.com')).rejects.toThrow('off');
  });

  it('uses the host name of PUBLIC_URL and the null sender by default', async () => {
    const { probe, ask, server } = await probeWith(ON);
    expect(probe.isOn).toBe(true);
    expect(await ask('ada@example.com')).toMatchObject({ kind: 'accepted' });
    expect(server.smtp.commands.slice(0, 2)).toEqual(['EHLO outreach.example', 'MAIL FROM:<>']);
  });

  it('uses the configured name and sender', async () => {
    const sender = { VERIFICATION_PROBE_HELO: 'checks.example', VERIFICATION_PROBE_FROM: 'probe@checks.example' };
    const { ask, server } = await probeWith({ ...ON, ...sender });
    await ask('ada@example.com');
    expect(server.smtp.commands.slice(0, 2)).toEqual(['EHLO checks.example', 'MAIL FROM:<probe@checks.example>']);
  });

  it('uses the configured timeout of a step', async () => {
    const { ask, server } = await probeWith({ ...ON, VERIFICATION_PROBE_TIMEOUT_MS: '100' });
    server.smtp.follow({ on: { RCPT: { next: 'hang' } } });
    expect(await ask('ada@example.com')).toMatchObject({ kind: 'timeout' });
  });

  it.each([1, 3])('uses the configured number of connections: %s', async (connections) => {
    const { ask, server } = await probeWith({ ...ON, VERIFICATION_PROBE_CONNECTIONS: String(connections) });
    server.smtp.follow({ on: { RCPT: { next: 'hang' } } });
    const asking = Promise.allSettled(Array.from({ length: 5 }, (_, n) => ask(`p${n}@example.com`)));
    await eventually('they are asked', () => server.recipients.length === connections);
    expect(server.smtp.seen).toHaveLength(connections);
    // Waiting probes would be admitted one by one; without a slot each is refused at once.
    server.smtp.follow({ on: { CONNECT: { next: 'drop' } } });
    server.smtp.dropAll();
    await asking;
  });

  it('keeps the configured gap', async () => {
    const { probe, ask, server } = await probeWith({ ...ON, VERIFICATION_PROBE_GAP_MS: '600000' });
    await ask('ada@example.com');
    const question = { address: 'bob@example.com', hosts: ['mx.example.com'], askCatchAll: false };
    const deadline = new Date(Date.now() + 60_000);
    expect(await probe.ask({ ...question, deadline })).toMatchObject({ kind: 'busy', host: null });
    expect(server.smtp.seen).toHaveLength(1);
  });

  it('connects to no private address unless the operator allows those', async () => {
    const { ask, server } = await probeWith({ ...ON, OUTBOUND_ALLOW_PRIVATE: 'false' });
    expect(await ask('ada@example.com')).toMatchObject({ kind: 'unreachable', host: null });
    expect(server.smtp.seen).toEqual([]);
  });
});
