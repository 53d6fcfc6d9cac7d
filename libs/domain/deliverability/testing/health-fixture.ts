import { DnsPort } from '@adapters/dns';
import { type WorkspaceScope } from '@domain/access';
import { EventRecord } from '@domain/events';
import { MailboxRecord } from '@domain/mailboxes';
import { Global, Module } from '@nestjs/common';
import { type Model } from 'mongoose';
import { ZoneDnsDriver } from '../../../adapters/dns/testing';
import { SendingFixture } from '../../sending/testing';
import { DeliverabilityModule } from '../deliverability.module';
import { DomainHealthJobService } from '../health/domain-health-job.service';
import { DomainHealthRecord } from '../schemas/domain-health.record';
import { HealthEntryRecord } from '../schemas/health-entry.record';
import { wellKept } from './zones';

/** Health checks on a separate database, with DNS from a table. */
export class HealthFixture {
  #serial = 0;

  private constructor(
    readonly engine: SendingFixture,
    readonly dns: ZoneDnsDriver,
  ) {}

  static async open(): Promise<HealthFixture> {
    const dns = new ZoneDnsDriver();
    const engine = await SendingFixture.open([dnsModule(dns), DeliverabilityModule]);
    const fixture = new HealthFixture(engine, dns);
    return fixture;
  }

  /** Restores the state after `open`: a new workspace, no results, and DNS without delays. */
  async fresh(): Promise<void> {
    await this.engine.fresh();
    await this.healths().deleteMany({}).setOptions({ allWorkspaces: 'a test' });
    this.dns.delays = undefined;
  }

  get workspace(): WorkspaceScope {
    return this.engine.workspace;
  }

  /** Returns a new domain with correct records, except for the given ones. */
  domain(zone: (domain: string) => Parameters<ZoneDnsDriver['zone']['change']>[0] = wellKept): string {
    this.#serial += 1;
    const domain = `d${this.#serial}.test`;
    this.dns.zone.change(zone(domain));
    return domain;
  }

  /** Creates mailboxes of a domain and returns their ids. */
  async mailboxes(domain: string, count = 1): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push(await this.engine.mailbox({ email: `m${n}@${domain}` }));
    return ids;
  }

  /** Schedules new mailboxes and runs all due checks, like the worker. */
  async work(): Promise<void> {
    await this.engine.get(DomainHealthJobService).sweep();
    const due = await this.healths()
      .find({ nextCheckAt: { $lte: this.engine.clock.now() } })
      .setOptions({ allWorkspaces: 'a test' })
      .lean<DomainHealthRecord[]>();
    for (const health of due) await this.run(health);
  }

  /** Runs one scheduled check, like its job. */
  run({ _id, workspaceId }: Pick<DomainHealthRecord, '_id' | 'workspaceId'>): Promise<void> {
    const job = { workspaceId: workspaceId.toHexString(), healthId: _id.toHexString() };
    return this.engine.get(DomainHealthJobService).run(job, new AbortController().signal);
  }

  healths(): Model<DomainHealthRecord> {
    return this.engine.model<DomainHealthRecord>(DomainHealthRecord);
  }

  async healthOf(domain: string): Promise<DomainHealthRecord> {
    const { workspaceId } = this.workspace;
    return this.healths().findOne({ workspaceId, domain }).lean<DomainHealthRecord>().orFail();
  }

  async entriesOf(domain: string): Promise<HealthEntryRecord[]> {
    const { workspaceId } = this.workspace;
    return this.engine
      .model<HealthEntryRecord>(HealthEntryRecord)
      .find({ workspaceId, domain })
      .sort({ createdAt: 1, _id: 1 })
      .lean<HealthEntryRecord[]>();
  }

  /** The events `mailbox.health_changed`, in order. */
  async told(): Promise<EventRecord[]> {
    const { workspaceId } = this.workspace;
    return this.engine
      .model<EventRecord>(EventRecord)
      .find({ workspaceId, type: 'mailbox.health_changed' })
      .sort({ at: 1, _id: 1 })
      .lean<EventRecord[]>();
  }

  async mailboxOf(mailboxId: string): Promise<MailboxRecord> {
    const { workspaceId } = this.workspace;
    return this.#mailboxes().findOne({ workspaceId, _id: mailboxId }).lean<MailboxRecord>().orFail();
  }

  async setupOf(mailboxId: string): Promise<MailboxRecord['setup']> {
    return (await this.mailboxOf(mailboxId)).setup;
  }

  /** As `mailboxes`, without notifying hooks of new mailboxes. Returns ids. */
  async manyMailboxes(domain: string, count: number): Promise<string[]> {
    const [first = ''] = await this.mailboxes(domain);
    const { _id: _first, email: _email, ...fields } = await this.mailboxOf(first);
    const copies = Array.from({ length: count - 1 }, (_, n) => ({ ...fields, email: `copy${n}@${domain}` }));
    const inserted = await this.#mailboxes().insertMany(copies);
    return [first, ...inserted.map(({ _id }) => String(_id))];
  }

  /** Deletes the mailbox without notifying any hook. */
  async withoutMailbox(mailboxId: string): Promise<void> {
    await this.#mailboxes().deleteOne({ workspaceId: this.workspace.workspaceId, _id: mailboxId });
  }

  /** Makes the name servers of the domain stop answering. */
  silence(domain: string): void {
    const names = [domain, `*.${domain}`, ...Object.keys(wellKept(domain))];
    this.dns.zone.change(Object.fromEntries(names.map((name) => [name, 'timeout' as const])));
  }

  #mailboxes(): Model<MailboxRecord> {
    return this.engine.model<MailboxRecord>(MailboxRecord);
  }
}

function dnsModule(dns: DnsPort) {
  @Global()
  @Module({ providers: [{ provide: DnsPort, useValue: dns }], exports: [DnsPort] })
  class DnsForTests {}
  return DnsForTests;
}
