import { systemScope } from '@domain/access';
import { getModelToken } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { EventsModule, EventsService, EventRecord } from '.';
import { EventOutboxRecord } from './schemas/event-outbox.record';
import { happening } from './testing';

describe('events', () => {
  let database: TestDatabase;
  let events: EventsService;
  let records: Model<EventRecord>;
  let outbox: Model<EventOutboxRecord>;
  const mine = systemScope(new Types.ObjectId().toHexString());
  const other = systemScope(new Types.ObjectId().toHexString());
  const mailboxId = new Types.ObjectId().toHexString();

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [EventsModule] });
    events = database.module.get(EventsService);
    records = database.module.get(getModelToken(EventRecord.name));
    outbox = database.module.get(getModelToken(EventOutboxRecord.name));
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

  it('are in the outbox once, however often they are recorded', async () => {
    const workspace = systemScope(new Types.ObjectId().toHexString());
    const { workspaceId } = workspace;
    await events.record(workspace, disconnected('a'));
    await events.recordAll(workspace, ['a', 'b', 'c', 'b'].map(disconnected));
    await events.record(workspace, disconnected('a'));
    await events.recordAll(workspace, ['a', 'b'].map(disconnected));
    const recorded = await records.find({ workspaceId }).sort({ _id: 1 }).lean();
    expect(recorded.map(({ dedupeKey }) => dedupeKey)).toEqual(['a', 'b', 'c']);
    const entries = await outbox.find({ workspaceId }).sort({ _id: 1 }).lean();
    expect(entries.map(({ eventIds }) => eventIds.map(String))).toEqual([
      [String(recorded[0]?._id)],
      [String(recorded[1]?._id), String(recorded[2]?._id)],
    ]);
    for (const { _id } of entries) expect(_id).toMatch(new RegExp(`^[0-3][0-9a-f]:${workspaceId}:[0-9a-f]{24}$`));
  });

  it('make several entries of the outbox when there are many', async () => {
    const workspace = systemScope(new Types.ObjectId().toHexString());
    const keys = Array.from({ length: 1_100 }, (_, index) => String(index));
    await events.recordAll(workspace, keys.map(disconnected));
    const entries = await outbox.find({ workspaceId: workspace.workspaceId }).sort({ _id: 1 }).lean();
    expect(entries.map(({ eventIds }) => eventIds.length)).toEqual([500, 500, 100]);
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
    const [recorded] = await records.find({ workspaceId: mine.workspaceId, dedupeKey: 'race' }).lean();
    const entries = await outbox.find({ workspaceId: mine.workspaceId, eventIds: recorded?._id }).lean();
    expect(entries).toHaveLength(1);
  });

  it('are not recorded when the change that they report is rolled back', async () => {
    const failing = database.module.get(TransactionService).run(async () => {
      await events.record(mine, disconnected('undone'));
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await records.countDocuments({ workspaceId: mine.workspaceId, dedupeKey: 'undone' })).toBe(0);
    const pending = await outbox.find({ workspaceId: mine.workspaceId }).lean();
    const recorded = await records.countDocuments({ workspaceId: mine.workspaceId });
    expect(pending.flatMap(({ eventIds }) => eventIds)).toHaveLength(recorded);
  });
});
