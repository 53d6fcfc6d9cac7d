import { randomUUID } from 'node:crypto';
import { MailError, MailSessionPool } from '@adapters/mail';
import { systemActor } from '@domain/access';
import { UsersModule, UsersService, WorkspaceRepository, WorkspacesService } from '@domain/identity';
import { type DynamicModule, Module } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { ClusterMembershipService } from '@platform/cluster';
import { LogService, MetricsService } from '@platform/observability';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule } from '@platform/queues';
import { type TestDatabase, eventually, openTestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { MailboxAccountService } from '../mailbox-account.service';
import { createConnection } from '../mailbox-connection';
import { MailboxesModule } from '../mailboxes.module';
import { MailboxMessageRecord } from '../schemas/mailbox-message.record';
import { MailboxRecord } from '../schemas/mailbox.record';
import { MailboxSyncService } from './mailbox-sync.service';
import { MailboxWatcherService } from './mailbox-watcher.service';
import { FakeMailDriver, type FakeMailbox } from '../../../adapters/mail/testing';

@Module({})
class MailForTests {}

function mailForTests(sessions: MailSessionPool): DynamicModule {
  const providers = [{ provide: MailSessionPool, useValue: sessions }];
  return { module: MailForTests, global: true, providers, exports: [MailSessionPool] };
}

const LOST = new MailError({ failure: 'temporary', stage: 'connect', message: 'lost' });

describe('watching mailboxes', () => {
  let database: TestDatabase;
  let driver: FakeMailDriver;
  let mailboxes: Model<MailboxRecord>;
  let messages: Model<MailboxMessageRecord>;
  let workspaceId: Types.ObjectId;
  const workers: MailboxWatcherService[] = [];

  const get = <T>(service: abstract new (...args: never[]) => T): T =>
    database.module.get<T>(service, { strict: false });
  const model = <T>(record: { name: string }) =>
    database.module.get<Model<T>>(getModelToken(record.name), { strict: false });

  beforeAll(async () => {
    driver = new FakeMailDriver();
    const mail = mailForTests(new MailSessionPool([driver]));
    database = await openTestDatabase({ imports: [QueuesModule, OutboundModule, mail, UsersModule, MailboxesModule] });
    mailboxes = model(MailboxRecord);
    messages = model(MailboxMessageRecord);
    get(MailboxAccountService).toAccount = ({ _id, email, credentialsRevision }) => ({
      kind: 'fake',
      id: String(_id),
      revision: String(credentialsRevision),
      email,
    });
    const user = await get(UsersService).create({ email: 'owner@example.com', name: 'Owner' });
    const workspace = { name: 'Acme' };
    const { id } = await get(WorkspacesService).createFor(user.id, workspace, systemActor('operator'));
    workspaceId = new Types.ObjectId(id);
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await mailboxes.deleteMany({ workspaceId });
  });
  afterAll(() => database.close());

  const worker = (sync = get(MailboxSyncService)): MailboxWatcherService => {
    const made = new MailboxWatcherService(
      mailboxes,
      get(WorkspaceRepository),
      sync,
      get(ClusterMembershipService),
      get(MetricsService),
      get(LogService),
    );
    workers.push(made);
    return made;
  };
  const connect = async (of = workspaceId): Promise<{ _id: Types.ObjectId; mailbox: FakeMailbox }> => {
    const email = `${randomUUID()}@fake.test`;
    const { _id } = await mailboxes.create({
      workspaceId: of,
      email,
      provider: 'google',
      connectionType: 'oauth',
      connection: createConnection(new Date()),
      dailySendLimit: 30,
      sendGapSeconds: 60,
      timezone: 'UTC',
    });
    return { _id, mailbox: driver.mailbox(email) };
  };
  const raw = (): Buffer => Buffer.from(`From: a@b.test\r\nMessage-ID: <${randomUUID()}@b.test>\r\n\r\nHi\r\n`);
  const storedOf = (mailboxId: Types.ObjectId) => messages.countDocuments({ workspaceId, mailboxId });

  it('stores mail as it arrives', async () => {
    const { _id, mailbox } = await connect();
    await worker().divide();
    await mailbox.deliver(raw());
    await eventually('the first message is stored', async () => (await storedOf(_id)) === 1);
    await mailbox.deliver(raw());
    await eventually('the second message is stored', async () => (await storedOf(_id)) === 2);
  });

  it('reports the number of watched mailboxes and the oldest read', async () => {
    const { mailbox } = await connect();
    const metrics = database.module.get(MetricsService);
    const reads = async (outcome: string) =>
      (await metrics.mailboxReads.get()).values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
    const before = await reads('done');
    worker().start();
    await eventually('the mailbox is read', async () => (await reads('done')) > before);
    await metrics.text();
    expect((await metrics.watchedMailboxes.get()).values[0]?.value).toBe(1);
    expect((await metrics.mailboxReadAge.get()).values[0]?.value).toBeGreaterThan(0);
    const lost = await reads('lost');
    mailbox.trouble = LOST;
    await mailbox.deliver(raw());
    await eventually('the connection is lost', async () => (await reads('lost')) > lost);
  });

  it('divides the mailboxes among the workers without overlap, and divides them again when one leaves', async () => {
    await Promise.all(Array.from({ length: 12 }, () => connect()));
    const [first, second] = [worker(), worker()];
    await first.divide();
    expect(first.size).toBe(12);
    await second.divide();
    await first.divide();
    expect(first.size + second.size).toBe(12);
    expect(second.size).toBeGreaterThan(0);
    await first.stop();
    expect(first.size).toBe(0);
    await second.divide();
    expect(second.size).toBe(12);
  });

  it('ignores mailboxes of deleted workspaces', async () => {
    const nowhere = new Types.ObjectId();
    await connect(nowhere);
    const only = worker();
    await only.divide();
    expect(only.size).toBe(0);
    await mailboxes.deleteMany({ workspaceId: nowhere });
  });

  it('ends the watch of a mailbox that fails twice at once, and watches it again when it is connected', async () => {
    const { _id, mailbox } = await connect();
    const only = worker();
    mailbox.trouble = LOST;
    await only.divide();
    const state = async () => (await mailboxes.findOne({ workspaceId, _id }).lean())?.connection.state;
    await eventually('the watch has ended', async () => only.size === 0 && (await state()) === 'degraded');
    mailbox.trouble = null;
    await only.divide();
    expect(only.size).toBe(0);
    await mailboxes.updateOne({ workspaceId, _id }, { $set: { connection: createConnection(new Date()) } });
    await only.divide();
    await mailbox.deliver(raw());
    await eventually('the message is stored', async () => (await storedOf(_id)) === 1);
  });

  it('tolerates a single broken connection', async () => {
    const { _id, mailbox } = await connect();
    await worker().divide();
    await mailbox.deliver(raw());
    await eventually('the first message is stored', async () => (await storedOf(_id)) === 1);
    const sync = jest.spyOn(mailbox, 'next').mockRejectedValueOnce(LOST);
    await mailbox.deliver(raw());
    await eventually('the connection broke', () => sync.mock.results.length > 0);
    await mailbox.deliver(raw());
    await eventually('all messages are stored', async () => (await storedOf(_id)) === 3);
    expect((await mailboxes.findOne({ workspaceId, _id }).lean())?.connection.state).toBe('connected');
    sync.mockRestore();
  });

  it('continues to divide while an ended watch is slow to stop', async () => {
    const { _id } = await connect();
    const { promise: ended, resolve: end } = Promise.withResolvers<boolean>();
    const stuck = {
      withSession: () => ended,
      recordFailure: () => Promise.resolve(),
    } as Partial<MailboxSyncService> as MailboxSyncService;
    const only = worker(stuck);
    await only.divide();
    expect(only.size).toBe(1);
    await mailboxes.deleteOne({ workspaceId, _id });
    await connect();
    await connect();
    await only.divide();
    expect(only.size).toBe(2);
    end(false);
  });

  it('restarts the watch when the mailbox gets other credentials', async () => {
    const { _id, mailbox } = await connect();
    const only = worker();
    await only.divide();
    await mailboxes.updateOne({ workspaceId, _id }, { $set: { credentialsRevision: 1 } });
    await only.divide();
    expect(only.size).toBe(1);
    await mailbox.deliver(raw());
    await eventually('the message is stored', async () => (await storedOf(_id)) === 1);
  });
});
