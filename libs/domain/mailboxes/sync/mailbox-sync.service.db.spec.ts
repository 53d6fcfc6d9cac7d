import { randomUUID } from 'node:crypto';
import { MailError, type MailSession, MailSessionPool } from '@adapters/mail';
import { systemScope } from '@domain/access';
import { getModelToken } from '@nestjs/mongoose';
import { type DynamicModule, Module } from '@nestjs/common';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule } from '@platform/queues';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { MailboxAccountService } from '../mailbox-account.service';
import { createConnection } from '../mailbox-connection';
import { MailboxDeletionService } from '../mailbox-deletion.service';
import { MailboxStatsRebuildService } from '../mailbox-stats-rebuild.service';
import { MailboxesModule } from '../mailboxes.module';
import { MailboxDayRecord } from '../schemas/mailbox-day.record';
import { MailboxMessageRecord } from '../schemas/mailbox-message.record';
import { MailboxSyncRecord } from '../schemas/mailbox-sync.record';
import { MailboxRecord } from '../schemas/mailbox.record';
import { MailboxSyncService, type SyncTarget } from './mailbox-sync.service';
import { MailboxSyncRepository } from './mailbox-sync.repository';
import { FakeMailDriver, type FakeMailbox } from '../../../adapters/mail/testing';

const forever = new AbortController().signal;

@Module({})
class MailForTests {}

function mailForTests(sessions: MailSessionPool): DynamicModule {
  const providers = [{ provide: MailSessionPool, useValue: sessions }];
  return { module: MailForTests, global: true, providers, exports: [MailSessionPool] };
}

describe('reading a mailbox', () => {
  let database: TestDatabase;
  let driver: FakeMailDriver;
  let sync: MailboxSyncService;
  let mailboxes: Model<MailboxRecord>;
  let messages: Model<MailboxMessageRecord>;
  let days: Model<MailboxDayRecord>;
  let mailbox: FakeMailbox;
  let target: SyncTarget;

  beforeAll(async () => {
    driver = new FakeMailDriver();
    database = await openTestDatabase({
      imports: [QueuesModule, OutboundModule, mailForTests(new MailSessionPool([driver])), MailboxesModule],
    });
    sync = database.module.get(MailboxSyncService, { strict: false });
    mailboxes = database.module.get(getModelToken(MailboxRecord.name), { strict: false });
    messages = database.module.get(getModelToken(MailboxMessageRecord.name), { strict: false });
    days = database.module.get(getModelToken(MailboxDayRecord.name), { strict: false });
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
    const workspaceId = new Types.ObjectId();
    const record = await mailboxes.create({
      workspaceId,
      email: `${randomUUID()}@fake.test`,
      provider: 'google',
      connectionType: 'oauth',
      connection: createConnection(new Date()),
      dailySendLimit: 30,
      sendGapSeconds: 60,
      timezone: 'UTC',
    });
    mailbox = driver.mailbox(record.email);
    target = { workspaceId, mailboxId: record._id, revision: 0 };
  });

  const raw = (messageId: string, subject = 'Hello'): Buffer =>
    Buffer.from(`From: Ada <ada@elsewhere.test>\r\nMessage-ID: ${messageId}\r\nSubject: ${subject}\r\n\r\nHi\r\n`);
  const readAll = async (): Promise<number> => {
    let fresh = 0;
    await sync.withSession(target, async (read) => void (fresh = await read()), forever);
    return fresh;
  };
  const storedMessages = () =>
    messages.find({ workspaceId: target.workspaceId }).sort({ receivedAt: 1, _id: 1 }).lean();

  it('stores each message once, with its envelope', async () => {
    await mailbox.deliver(raw('<1@x>', 'First'));
    await mailbox.deliver(raw('<2@x>', 'Second'));
    expect(await readAll()).toBe(2);
    expect(await readAll()).toBe(0);
    expect(await storedMessages()).toMatchObject([
      {
        messageId: '<1@x>',
        subject: 'First',
        state: 'received',
        role: 'inbox',
        from: { address: 'ada@elsewhere.test' },
      },
      { messageId: '<2@x>', subject: 'Second' },
    ]);
  });

  it('ignores mail that was received before the mailbox was connected', async () => {
    await mailbox.deliver(raw('<old@x>'), 'inbox', new Date(Date.now() - 86_400_000));
    expect(await readAll()).toBe(0);
  });

  it('stores a message once that is delivered twice', async () => {
    await mailbox.deliver(raw('<twice@x>'));
    await mailbox.deliver(raw('<twice@x>'));
    expect(await readAll()).toBe(1);
    expect(await storedMessages()).toHaveLength(1);
  });

  it('reads a mailbox with many messages to its end', async () => {
    for (let count = 0; count < 450; count++) await mailbox.deliver(raw(`<${count}@x>`));
    expect(await readAll()).toBe(450);
  });

  it('stores each message once if four readers run concurrently', async () => {
    for (let count = 0; count < 230; count++) await mailbox.deliver(raw(`<${count}@x>`));
    const fresh = await Promise.all([readAll(), readAll(), readAll(), readAll()]);
    expect(fresh.reduce((sum, count) => sum + count, 0)).toBe(230);
    expect(await messages.countDocuments({ workspaceId: target.workspaceId })).toBe(230);
  });

  it('stores its messages even if an earlier reader stored a batch first', async () => {
    await mailbox.deliver(raw('<before@x>'));
    const store = database.module.get(MailboxSyncRepository, { strict: false });
    const save = store.save.bind(store);
    const blocked = Promise.withResolvers<void>();
    const read = Promise.withResolvers<void>();
    const spy = jest.spyOn(store, 'save').mockImplementationOnce(async (...batch) => {
      read.resolve();
      await blocked.promise;
      return save(...batch);
    });
    spy.mockImplementationOnce(async (...batch) => {
      blocked.resolve();
      await first;
      return save(...batch);
    });
    const first = readAll();
    await read.promise;
    await mailbox.deliver(raw('<after@x>'));
    expect(await readAll()).toBe(1);
    expect((await storedMessages()).map(({ messageId }) => messageId)).toEqual(['<before@x>', '<after@x>']);
    spy.mockRestore();
  });

  it('counts received messages for the mailbox and its day', async () => {
    await mailbox.deliver(raw('<1@x>'));
    await mailbox.deliver(raw('<2@x>'), 'junk');
    await readAll();
    const { workspaceId, mailboxId } = target;
    expect((await mailboxes.findOne({ workspaceId, _id: mailboxId }).lean())?.totalReceived).toBe(2);
    expect((await days.findOne({ workspaceId, mailboxId }).lean())?.received).toBe(2);
  });

  it('counts a message on the day of its record, also if midnight passes in between', async () => {
    await mailbox.deliver(raw('<1@x>'));
    const { clock } = database;
    const midnight = new Date('2026-11-26T00:00:00.000Z');
    let reads = 0;
    const now = jest.spyOn(clock, 'now').mockImplementation(() => new Date(midnight.getTime() - 3 + (reads += 1)));
    await readAll();
    now.mockRestore();
    const { workspaceId, mailboxId } = target;
    const [message] = await storedMessages();
    const [day] = await days.find({ workspaceId, mailboxId }).lean();
    expect(day?.day).toBe(message?.createdAt.toISOString().slice(0, 10));
    const recount = database.module.get(MailboxStatsRebuildService, { strict: false });
    expect(await recount.run(workspaceId.toHexString(), { isCheck: true })).toEqual([]);
  });

  it('loses nothing if it is interrupted before a batch is stored', async () => {
    await mailbox.deliver(raw('<1@x>'));
    const store = database.module.get(MailboxSyncRepository, { strict: false });
    const failing = jest.spyOn(store, 'save').mockRejectedValueOnce(new Error('killed'));
    await expect(readAll()).rejects.toThrow('killed');
    failing.mockRestore();
    expect(await readAll()).toBe(1);
  });

  it('stores nothing of a batch if a part of it cannot be stored', async () => {
    await mailbox.deliver(raw('<1@x>'));
    const failing = jest.spyOn(messages, 'insertMany').mockRejectedValueOnce(new Error('broken'));
    await expect(readAll()).rejects.toThrow('broken');
    failing.mockRestore();
    expect(await storedMessages()).toEqual([]);
    expect(await readAll()).toBe(1);
  });

  it('recognises a message if the server has lost its history', async () => {
    await mailbox.deliver(raw('<1@x>'));
    await readAll();
    mailbox.epoch += 1;
    await mailbox.deliver(raw('<2@x>'));
    expect(await readAll()).toBe(1);
    expect(await storedMessages()).toHaveLength(2);
  });

  it('follows a message that is read, moved and deleted elsewhere', async () => {
    const message = await mailbox.deliver(raw('<1@x>'));
    await readAll();
    mailbox.flag(message, { seen: true });
    mailbox.move(message, 'junk');
    await readAll();
    expect(await storedMessages()).toMatchObject([
      { flags: { seen: true }, role: 'junk', ref: { folder: 'junk' }, goneAt: null },
    ]);
    mailbox.remove(message);
    await readAll();
    expect((await storedMessages())[0]?.goneAt).toBeInstanceOf(Date);
  });

  it('stores an unreadable message as such and continues', async () => {
    await mailbox.deliver(raw('<good@x>'));
    const sessions = database.module.get(MailSessionPool);
    const broken = {
      kind: 'unreadable',
      ref: { folder: 'inbox', id: '99' },
      role: 'inbox',
      reason: 'NO broken',
    } as const;
    const use = jest.spyOn(sessions, 'use').mockImplementationOnce((account, work) =>
      work({
        sync: async (request) => {
          const batch = await driver.open(account as never).sync(request);
          return { ...batch, changes: [broken, ...batch.changes] };
        },
      } as Partial<MailSession> as MailSession),
    );
    expect(await readAll()).toBe(2);
    use.mockRestore();
    expect((await storedMessages()).map(({ state, problem }) => ({ state, problem }))).toEqual(
      expect.arrayContaining([
        { state: 'unreadable', problem: 'NO broken' },
        { state: 'received', problem: null },
      ]),
    );
    expect(await readAll()).toBe(0);
  });

  it('does not read a mailbox that is disconnected, has other credentials, or is deleted', async () => {
    const { workspaceId, mailboxId } = target;
    await mailbox.deliver(raw('<1@x>'));
    await mailboxes.updateOne({ workspaceId, _id: mailboxId }, { $set: { 'connection.state': 'degraded' } });
    expect(await sync.withSession(target, () => Promise.reject(new Error('worked')), forever)).toBe(false);
    await mailboxes.updateOne({ workspaceId, _id: mailboxId }, { $set: { 'connection.state': 'connected' } });
    expect(await sync.withSession({ ...target, revision: 1 }, () => Promise.reject(new Error('worked')), forever)).toBe(
      false,
    );
    const elsewhere = { ...target, workspaceId: new Types.ObjectId() };
    expect(await sync.withSession(elsewhere, () => Promise.reject(new Error('worked')), forever)).toBe(false);
  });

  it('misses nothing if the mailbox moves to a server with similar message numbers', async () => {
    const { workspaceId, mailboxId } = target;
    const smtp = { smtpHost: 'smtp.test', smtpPort: 465, smtpSecure: true };
    const imap = { imapHost: 'old.test', imapPort: 993, imapSecure: true };
    const imapCredentials = { user: 'ada', password: 'sealed' };
    const custom = { provider: 'custom', connectionType: 'smtp', ...smtp, ...imap, imapCredentials } as const;
    await mailboxes.updateOne({ workspaceId, _id: mailboxId }, { $set: custom });
    await mailbox.deliver(raw('<1@old>'));
    await mailbox.deliver(raw('<2@old>'));
    expect(await readAll()).toBe(2);
    const email = `${randomUUID()}@fake.test`;
    await driver.mailbox(email).deliver(raw('<1@new>'));
    const moved = { imapHost: 'new.test', email, credentialsRevision: 1 };
    await mailboxes.updateOne({ workspaceId, _id: mailboxId }, { $set: moved });
    target = { ...target, revision: 1 };
    expect(await readAll()).toBe(1);
    expect(await readAll()).toBe(0);
    expect((await storedMessages()).map(({ messageId }) => messageId)).toContain('<1@new>');
  });

  it('stores nothing for a mailbox that is deleted during the read, and leaves nothing behind', async () => {
    const { workspaceId, mailboxId } = target;
    const deletion = database.module.get(MailboxDeletionService, { strict: false });
    const scope = systemScope(workspaceId.toHexString());
    await mailbox.deliver(raw('<1@x>'));
    let fresh: number | undefined;
    await sync.withSession(
      target,
      async (read) => {
        await deletion.delete(scope, mailboxId.toHexString(), {});
        fresh = await read();
      },
      forever,
    );
    expect(fresh).toBe(0);
    await deletion.eraseDeleted(forever);
    database.clock.advance(3_600_001);
    await deletion.eraseDeleted(forever);
    const syncs = database.module.get<Model<MailboxSyncRecord>>(getModelToken(MailboxSyncRecord.name), {
      strict: false,
    });
    expect([await storedMessages(), await syncs.find({ workspaceId }).lean()]).toEqual([[], []]);
    database.clock.reset();
  });

  it('erases the records of a deleted mailbox in batches, and continues after an interruption', async () => {
    const { workspaceId, mailboxId } = target;
    const ref = { folder: 'INBOX', id: '1:1' };
    const one = { workspaceId, mailboxId, state: 'received', place: 'x', ref, receivedAt: new Date(0) } as const;
    await messages.insertMany(Array.from({ length: 1_500 }, (_, index) => ({ ...one, fingerprint: String(index) })));
    const deletion = database.module.get(MailboxDeletionService, { strict: false });
    await deletion.delete(systemScope(workspaceId.toHexString()), mailboxId.toHexString(), {});
    const stop = new AbortController();
    const deleted = jest.spyOn(messages, 'deleteMany').mockImplementationOnce((filter) => {
      stop.abort();
      return messages.deleteMany(filter);
    });
    await expect(deletion.eraseDeleted(stop.signal)).rejects.toThrow('abort');
    deleted.mockRestore();
    expect(await messages.countDocuments({ workspaceId, mailboxId })).toBe(500);
    await deletion.eraseDeleted(forever);
    expect(await messages.countDocuments({ workspaceId, mailboxId })).toBe(0);
  });

  it('fails if the connection is lost, and never treats that as an empty mailbox', async () => {
    await mailbox.deliver(raw('<1@x>'));
    mailbox.trouble = new MailError({ failure: 'temporary', stage: 'connect', message: 'lost' });
    await expect(readAll()).rejects.toMatchObject({ failure: 'temporary', message: 'lost' });
    mailbox.trouble = null;
    expect(await readAll()).toBe(1);
  });
});
