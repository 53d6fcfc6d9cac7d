import { wellKept, withSpf } from '../../libs/domain/deliverability/testing';
import { DnsServer } from '../../libs/adapters/dns/testing';
import { mailSandbox } from '@testing';
import { type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { connected, type Mailbox, seededMailbox } from '../mailboxes/sandbox';

let serial = 0;

/** A platform with a DNS server of its own, whose zones a test defines. */
export class DomainsFixture {
  private constructor(
    readonly dns: DnsServer,
    readonly platform: Platform,
  ) {}

  static async start(options: { worker?: boolean } = {}): Promise<DomainsFixture> {
    const dns = await DnsServer.start();
    const platform = await startPlatform({ ...options, env: { DNS_SERVERS: `${dns.host}:${dns.port}` } });
    return new DomainsFixture(dns, platform);
  }

  async close(): Promise<void> {
    await this.platform.close();
    await this.dns.close();
  }

  /** A new domain with valid records. */
  domain(): string {
    serial += 1;
    const domain = `d${serial}-${process.pid}.test`;
    this.dns.zone.change(wellKept(domain));
    return domain;
  }

  /** Replaces the SPF records of the domain. */
  spf(domain: string, ...records: readonly string[]): void {
    this.dns.zone.change(withSpf(domain, ...records));
  }

  mailbox(
    { workspaceId }: SeededWorkspace,
    domain: string,
    localPart = 'ada',
  ): Promise<{ _id: string; email: string }> {
    return seededMailbox(this.platform, workspaceId, mailSandbox().password, `${localPart}@${domain}`);
  }

  /** Connects a mailbox through the API. */
  connected(workspace: SeededWorkspace, domain: string, localPart = 'ada'): Promise<Mailbox> {
    return connected(this.platform, workspace, { email: `${localPart}@${domain}` });
  }

  /** Number of DNS queries for a name so far. */
  asked(name: string): number {
    return this.dns.queries.filter((query) => query.name === name).length;
  }
}
