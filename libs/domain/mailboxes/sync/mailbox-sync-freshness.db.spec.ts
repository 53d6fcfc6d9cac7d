import { randomUUID } from 'node:crypto';
import { MailError, type MailSession, MailSessionPool } from '@adapters/mail';
import { type DynamicModule, Module } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule } from '@platform/queues';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { MailboxAccountService } from '../mailbox-account.service';
import { createConnection } from '../mailbox-connection';
import { MailboxesModule } from '../mailboxes.module';
import { MailboxMessageRecord } from '../schemas/mailbox-message.record';
import { MailboxRecord } from '../schemas/mailbox.record';
import { MailboxSyncService } from './mailbox-sync.service';
import { FakeMailDriver, type FakeMailbox } from '../../../adapters/mail/testing';

const MINUTE_MS = 60_000;
const forever = new AbortController().signal;

@Module({})
class MailForTests {}

function mailForTests(sessions: MailSessionPool): DynamicModule {
  const providers = [{ provide: MailSessionPool, useValue: sessions }];
  return { module: MailForTests, global: true, providers, exports: [MailSessionPool] };
}

describe('the freshness of a mailbox', () => {
  let database: TestDatabase;
  let driver: FakeMailDriver;
  let freshness: MailboxSyncService;
  let mailboxes: Model<MailboxRecord>;
  let record: MailboxRecord;
  let mailbox: FakeMailbox;
  /** Number of started reads. */
  let reads = 0;
  /** Called at the start of a read. */
  let before: (signal: AbortSignal | undefined) => Promise<void> = () => Promise.resolve();

  beforeAll(async () => {
    driver = new FakeMailDriver();
    const sessions = new MailSessionPool([driver]);
    const use = sessions.use.bind(sessions);
    jest
      .spyOn(sessions, 'use')
      .mockImplementation((account, work) => use(account, (session) => work(counted(session) as MailSession)));
    database = await openTestDatabase({
      imports: [QueuesModule, OutboundModule, mailForTests(sessions), MailboxesModule],
    });
    freshness = database.module.get(MailboxSyncService, { strict: false });
    mailboxes = database.module.get(getModelToken(MailboxRecord.name), { strict: false });
    const accounts = database.module.get(MailboxAccountService, { strict: false });
    accounts.toAccount = ({ _id, email, credentialsRevision }) => ({
      kind: 'fake',
      id: String(_id),
      revision: String(credentialsRevision),
      email,
    });
  });
  afterAll(() => database.close());

  beforeEach(async () => {
    reads = 0;
    before = () => Promise.resolve();
    const created = await mailboxes.create({
      workspaceId: new Types.ObjectId(),
      email: `${randomUUID()}@fake.test`,
      provider: 'google',
      connectionType: 'oauth',
      connection: createConnection(database.clock.now()),
      dailySendLimit: 30,
      sendGapSeconds: 60,
      timezone: 'UTC',
    });
    record = created.toObject();
    mailbox = driver.mailbox(record.email);
  });

  const counted = (session: MailSession) => ({
    sync: async (request: Parameters<MailSession['sync']>[0]) => {
      reads += 1;
      await before(request.signal);
      return session.sync(request);
    },
  });
  const ensure = (signal = forever) => freshness.ensureFresh(record, MINUTE_MS, signal);
  const messages = () =>
    database.module
      .get<Model<MailboxMessageRecord>>(getModelToken(MailboxMessageRecord.name), { strict: false })
      .countDocuments({ workspaceId: record.workspaceId });
  const state = async () =>
    (await mailboxes.findOne({ _id: record._id, workspaceId: record.workspaceId }).lean())?.connection;
  const refused = new MailError({ failure: 'temporary', stage: 'connect', message: 'No answer' });

  it('is achieved by a read, and lasts as long as requested', async () => {
    await mailbox.deliver(Buffer.from('From: a@b.test\r\nMessage-ID: <1@x>\r\n\r\nHi\r\n'));
    await ensure();
    expect([reads, await messages()]).toEqual([1, 1]);
    database.clock.advance(MINUTE_MS / 2);
    await ensure();
    expect(reads).toBe(1);
    database.clock.advance(MINUTE_MS / 2 + 1_000);
    await ensure();
    expect(reads).toBe(2);
  });

  it('is achieved once for several concurrent callers', async () => {
    await Promise.all([ensure(), ensure(), ensure()]);
    expect(reads).toBe(1);
  });

  it('does not apply to another server to which the mailbox was moved', async () => {
    await ensure();
    const imapCredentials = { user: 'ada', password: 'sealed' };
    const moved = { imapHost: 'imap.other.test', imapPort: 993, imapCredentials };
    await mailboxes.updateOne({ _id: record._id, workspaceId: record.workspaceId }, { $set: moved });
    record = Object.assign(record, moved);
    await ensure();
    expect(reads).toBe(2);
  });

  it('is retried once if the connection breaks', async () => {
    before = () => (reads === 1 ? Promise.reject(refused) : Promise.resolve());
    await ensure();
    expect(reads).toBe(2);
    expect(await state()).toMatchObject({ state: 'connected', failures: 0 });
  });

  it('is refused with the server’s failure, which is stored with the mailbox', async () => {
    before = () => Promise.reject(refused);
    await expect(ensure()).rejects.toBe(refused);
    expect(reads).toBe(2);
    expect(await state()).toMatchObject({ state: 'degraded', half: 'incoming', failures: 1 });
  });

  it('is refused for a mailbox that is disconnected, deleted, or has other credentials by now', async () => {
    const busy = { failure: 'temporary', stage: 'busy' };
    const of = { _id: record._id, workspaceId: record.workspaceId };
    await mailboxes.updateOne(of, { $inc: { credentialsRevision: 1 } });
    await expect(ensure()).rejects.toMatchObject(busy);
    await mailboxes.updateOne(of, { $set: { credentialsRevision: 0, 'connection.state': 'disconnected' } });
    await expect(ensure()).rejects.toMatchObject(busy);
    await mailboxes.deleteOne(of);
    await expect(ensure()).rejects.toMatchObject(busy);
    expect(reads).toBe(0);
  });

  it('is given up by one caller alone, and the last one also ends the read', async () => {
    const begun = Promise.withResolvers<void>();
    let read: AbortSignal | undefined;
    before = (signal) => {
      read = signal;
      begun.resolve();
      return new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      );
    };
    const [one, other] = [new AbortController(), new AbortController()];
    const waiting = [ensure(one.signal), ensure(other.signal)].map((wait) => wait.catch((error: unknown) => error));
    await begun.promise;
    one.abort(new Error('one'));
    expect(await waiting[0]).toMatchObject({ message: 'one' });
    expect(read?.aborted).toBe(false);
    other.abort(new Error('other'));
    expect(await waiting[1]).toMatchObject({ message: 'other' });
    expect(read?.aborted).toBe(true);
    expect(await state()).toMatchObject({ state: 'connected', failures: 0 });
    before = () => Promise.resolve();
    await ensure();
  });

  it('starts no read for a caller that has already given up', async () => {
    await expect(ensure(AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
    expect(reads).toBe(0);
  });
});
