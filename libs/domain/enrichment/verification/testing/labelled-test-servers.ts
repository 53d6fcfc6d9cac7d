import { DnsPort, DnsModule } from '@adapters/dns';
import { MailboxProbePort } from '@adapters/probe';
import { CreditsService } from '@domain/credits';
import { Global, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { ClockPort } from '@platform/clock';
import { Config, loadConfig } from '@platform/config';
import { OutboundAddressService } from '@platform/outbound';
import { DnsServer, type ZoneTable } from '../../../../adapters/dns/testing';
import { HandTimer, MxServer, getProbe } from '../../../../adapters/probe/testing';
import { MailDomainsService } from '../domain/mail-domains.service';
import { EmailVerificationService } from '../email-verification.service';
import { type LabelledKind } from './labelled-kinds';

/** `verify` charges no credits. */
const NO_CREDITS = { provide: CreditsService, useValue: {} };

/** A step of a silent server. */
export const STEP_MS = 10_000;
/** An address without a listening server. */
const DEAD = '127.0.2.9';
/** Negative answers are cached for five minutes, as in some real zones. */
const ROOT: ZoneTable = { example: { SOA: [{ primary: 'ns.example', serial: 1, minimum: 300 }] } };

/** A clock that the test advances. */
class HandClock extends ClockPort {
  constructor(private readonly timer: HandTimer) {
    super();
  }

  now(): Date {
    return new Date(this.timer.now());
  }
}

/** The verifier as in production, with a DNS server and a mail server for each kind, all on loopback. */
export class LabelledTestServers {
  private constructor(
    readonly verifier: EmailVerificationService,
    readonly timer: HandTimer,
    readonly dns: DnsServer,
    private readonly servers: ReadonlyMap<string, MxServer>,
    private readonly module: TestingModule,
  ) {}

  static async open(kinds: readonly LabelledKind[]): Promise<LabelledTestServers> {
    const timer = new HandTimer();
    const servers = new Map<string, MxServer>();
    const hosts = new Map<string, string>();
    let port = 0;
    for (const [at, { domain, server }] of kinds.entries()) {
      if (!server) continue;
      // All on one port, as mail servers are: each has its own address.
      const host = `127.0.1.${at + 1}`;
      const started = await MxServer.start({ ...server, host, port });
      ({ port } = started.smtp);
      servers.set(domain, started);
      hosts.set(domain, host);
    }
    const zones = kinds.map((kind) => zoneOf(kind, hosts.get(kind.domain) ?? DEAD));
    const dns = await DnsServer.start(Object.assign({}, ROOT, ...zones) as ZoneTable);
    const module = await moduleOver(dns, timer, port);
    return new LabelledTestServers(module.get(EmailVerificationService), timer, dns, servers, module);
  }

  /** Whether a request waits for an answer that its server will not give. */
  isSilent({ domain, silentAt = 'RCPT' }: LabelledKind): boolean {
    const connections = this.servers.get(domain)?.smtp.seen ?? [];
    return connections.some(({ closed, commands }) => !closed && commands.at(-1)?.startsWith(silentAt) === true);
  }

  async close(): Promise<void> {
    await this.module.close();
    await Promise.all([...this.servers.values()].map((server) => server.close()));
    await this.dns.close();
  }
}

function zoneOf({ domain, dns }: LabelledKind, address: string): ZoneTable {
  const mx = `mx.${domain}`;
  const own = { exchange: mx, priority: 20 };
  switch (dns) {
    case 'null MX':
      return { [domain]: { MX: [{ exchange: '', priority: 0 }] } };
    case 'no such domain':
      return {};
    case 'no host':
      return { [domain]: { TXT: ['no mail here'] } };
    case 'dead host first': {
      const dead = { exchange: `dead.${domain}`, priority: 10 };
      return { [domain]: { MX: [dead, own] }, [dead.exchange]: { A: [DEAD] }, [mx]: { A: [address] } };
    }
    case undefined:
      return { [domain]: { MX: [own] }, [mx]: { A: [address] } };
  }
}

async function moduleOver(server: DnsServer, timer: HandTimer, port: number): Promise<TestingModule> {
  const env = { MONGODB_URI: 'mongodb://db/x', REDIS_URL: 'redis://queue', SECRET_KEYS: 'k1:x' };
  const config = loadConfig({ ...env, DNS_SERVERS: server.address });
  const clock = new HandClock(timer);
  @Global()
  @Module({
    providers: [
      { provide: Config, useValue: config },
      { provide: ClockPort, useValue: clock },
      { provide: OutboundAddressService, useValue: new OutboundAddressService({ allowPrivate: true }) },
    ],
    exports: [Config, ClockPort, OutboundAddressService],
  })
  class SettingsModule {}
  const probe = {
    provide: MailboxProbePort,
    useFactory: (dns: DnsPort) => getProbe({ dns, port, timer, stepTimeoutMs: STEP_MS, connections: 4 }),
    inject: [DnsPort],
  };
  return Test.createTestingModule({
    imports: [SettingsModule, DnsModule],
    providers: [EmailVerificationService, MailDomainsService, NO_CREDITS, probe],
  }).compile();
}
