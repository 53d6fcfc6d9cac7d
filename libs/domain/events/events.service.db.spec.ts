import { systemScope } from '@domain/access';
import { getModelToken } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { EventsModule, EventsService, EventRecord } from '.';
import { happening } from './testing';

describe('events', () => {
  let database: TestDatabase;
  let events: EventsService;
  let records: Model<EventRecord>;
  const mine = systemScope(new Types.ObjectId().toHexString());
  const other = systemScope(new Types.ObjectId().toHexString());
  const mailboxId = new Types.ObjectId().toHexString();

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [EventsModule] });
    events = database.module.get(EventsService);
    records = database.module.get(getModelToken(EventRecord.name));
  });
  afterAll(() => database.close());

  const disconnected = (dedupeKey: string) =>
    happening('mailbox.disconnected', dedupeKey, { about: { mailboxId }, data: { reason: 'login_refused' } });

  it('are recorded once, however often the service is called', async () => {
    expect(await events.record(mine, disconnected('a'))).toBe(true);
    expect(await events.record(mine, disconnected('a'))).toBe(false);
    const found = await records.find({ workspaceId: mine.workspaceId, dedupeKey: 'a' }).lean();
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ type: 'mailbox.disconnected', data: { reason: 'login_refused' } });
    expect(found[0]?.mailboxId?.toHexString()).toBe(mailboxId);
    expect(found[0]?.createdAt).toBeInstanceOf(Date);
  });

  it('are recorded in bulk, and each result says whether the event is new', async () => {
    await events.record(mine, disconnected('known'));
    const all = ['new', 'known', 'newer', 'new'].map(disconnected);
    expect(await events.recordEach(mine, all)).toEqual([true, false, true, false]);
    expect(await events.recordAll(mine, [...all, disconnected('newest')])).toBe(1);
    expect(await events.recordEach(mine, [])).toEqual([]);
  });

  it('of two workspaces are deduplicated separately', async () => {
    await events.record(mine, disconnected('shared'));
    expect(await events.record(other, disconnected('shared'))).toBe(true);
  });

  it('recorded twice at the same time exist once', async () => {
    const results = await Promise.all(
      Array.from({ length: 5 }, () =>
        database.module.get(TransactionService).run(() => events.record(mine, disconnected('race'))),
      ),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  it('are not recorded when the change that they report is rolled back', async () => {
    const failing = database.module.get(TransactionService).run(async () => {
      await events.record(mine, disconnected('undone'));
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await records.countDocuments({ workspaceId: mine.workspaceId, dedupeKey: 'undone' })).toBe(0);
  });
});
