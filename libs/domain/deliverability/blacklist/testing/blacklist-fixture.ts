import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailModule } from '@adapters/mail';
import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { EventRecord, type EventType } from '@domain/events';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { MailboxCreationService, MailboxRecord } from '@domain/mailboxes';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { type FakeClock, type TestDatabase, openTestDatabase } from '@testing';
import { type Model } from 'mongoose';
import { ZoneDnsDriver, type ZoneTable } from '../../../../adapters/dns/testing';
import { BlacklistModule } from '../blacklist.module';
import { type BlacklistTestResponse } from '../dto/blacklist-test.dto';
import { type RateLimiter } from '@platform/concurrency';
import { type BlacklistTestJobService } from '../runs/blacklist-test-job.service';
import { BlacklistTestsService } from '../runs/blacklist-tests.service';
import { BlacklistZoneRecord } from '../schemas/blacklist-zone.record';
import { copyMailbox, newTestMailbox } from './test-mailboxes';
import { newBlacklistWorker } from './blacklist-worker';
import { dnsModule, TEST_POINTS, ZONES } from './test-zones';

export const FOREVER = new AbortController().signal;

/** Blacklist tests on a separate database, with an in-memory DNS. */
export class BlacklistFixture {
  #serial = 0;
  readonly #published = new Set<string>();

  private constructor(
    readonly database: TestDatabase,
    readonly dns: ZoneDnsDriver,
    private readonly folder: string,
  ) {}

  static async open(zones: readonly object[] = ZONES, table: ZoneTable = TEST_POINTS): Promise<BlacklistFixture> {
    const dns = new ZoneDnsDriver(table);
    const folder = mkdtempSync(join(tmpdir(), 'blacklists-'));
    const file = join(folder, 'zones.json');
    writeFileSync(file, JSON.stringify({ base: 'none', zones }));
    const imports = [QueuesModule, OutboundModule, MailModule, UsersModule, dnsModule(dns), BlacklistModule];
    const database = await openTestDatabase({ imports }, { BLACKLIST_ZONES_FILE: file });
    return new BlacklistFixture(database, dns, folder);
  }

  /** Publishes the records of these names until `reset`. */
  publish(table: ZoneTable): void {
    for (const name of Object.keys(table)) this.#published.add(name);
    this.dns.zone.change(table);
  }

  /** Restores the initial state: only test points, no tested zone, no recorded query. */
  async reset(table: ZoneTable = TEST_POINTS): Promise<void> {
    this.clock.reset();
    this.dns.delays = undefined;
    this.dns.zone.remove(...this.#published);
    this.#published.clear();
    this.dns.zone.change(table);
    await this.model(BlacklistZoneRecord).deleteMany({});
    this.dns.queries.length = 0;
  }

  /** As `reset`, with a new workspace. */
  async fresh(): Promise<WorkspaceScope> {
    await this.reset();
    return this.workspace();
  }

  /** A separate worker with its own running queries. */
  worker(pace?: RateLimiter): BlacklistTestJobService {
    return newBlacklistWorker(this, pace);
  }

  get clock(): FakeClock {
    return this.database.clock;
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.database.module.get<T>(service, { strict: false });
  }

  model<T>(record: { name: string }): Model<T> {
    return this.database.module.get<Model<T>>(getModelToken(record.name), { strict: false });
  }

  async close(): Promise<void> {
    rmSync(this.folder, { recursive: true });
    await this.get(QueuesService).obliterate();
    await this.database.close();
  }

  async workspace(): Promise<WorkspaceScope> {
    this.#serial += 1;
    const owner = { email: `owner-${this.#serial}@example.com`, name: 'Owner' };
    const user = await this.get(UsersService).create(owner);
    const by = systemActor('operator');
    const { id } = await this.get(WorkspacesService).createFor(user.id, { name: 'Acme' }, by);
    return { ...systemScope(id), actor: { kind: 'user', userId: user.id, keyId: null } };
  }

  /** A mailbox with an address, which sends through a host or a provider such as `google`. */
  async mailbox(workspace: WorkspaceScope, email: string, smtpHost = 'none.test'): Promise<string> {
    const mailbox = newTestMailbox(email, smtpHost);
    await this.get(MailboxCreationService).insert(workspace, mailbox);
    return mailbox._id.toHexString();
  }

  /** Inserts many mailboxes directly, without the checks of the service. */
  async mailboxes(workspace: WorkspaceScope, some: readonly { email: string; smtpHost: string }[]): Promise<string[]> {
    const like = await this.mailbox(workspace, `like-${(this.#serial += 1)}@example.com`);
    return copyMailbox(this.model<MailboxRecord>(MailboxRecord), workspace, like, some);
  }

  begin(workspace: WorkspaceScope, ...mailboxIds: string[]): Promise<BlacklistTestResponse> {
    return this.get(BlacklistTestsService).create(workspace, { mailboxIds });
  }

  run(workspace: WorkspaceScope, testId: string, signal = FOREVER, worker = this.worker()): Promise<void> {
    return worker.run({ workspaceId: workspace.workspaceId, partitionId: testId }, signal);
  }

  read(workspace: WorkspaceScope, testId: string): Promise<BlacklistTestResponse> {
    return this.get(BlacklistTestsService).get(workspace, testId);
  }

  /** Starts a test, runs it, and reads it. */
  async test(workspace: WorkspaceScope, ...mailboxIds: string[]): Promise<BlacklistTestResponse> {
    const { _id } = await this.begin(workspace, ...mailboxIds);
    await this.run(workspace, _id);
    return this.read(workspace, _id);
  }

  /** A queries so far without those of self-tests, sorted. */
  asked(): string[] {
    return this.dns.queries
      .filter(({ type, fresh }) => type === 'A' && !fresh)
      .map(({ name }) => name)
      .toSorted();
  }

  events(workspace: WorkspaceScope, type: EventType): Promise<EventRecord[]> {
    const { workspaceId } = workspace;
    return this.model<EventRecord>(EventRecord).find({ workspaceId, type }).sort({ _id: 1 }).lean<EventRecord[]>();
  }
}
