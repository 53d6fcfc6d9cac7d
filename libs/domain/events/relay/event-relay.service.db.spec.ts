import { HookRegistry } from '@platform/hooks';
import { systemScope } from '@domain/access';
import { getModelToken, Prop } from '@nestjs/mongoose';
import { Collection, CollectionIndexService, DatabaseModule, LeaseService, writeConflict } from '@platform/database';
import { addListener, openTestDatabase, getSeries, type TestDatabase } from '@testing';
import { type Model, mongo, Types } from 'mongoose';
import {
  type EventRecord,
  EventRelayService,
  EventsModule,
  EventsService,
  type EventSubscriber,
  EVENT_SUBSCRIBERS,
} from '..';
import { DeferredEventRecord } from '../schemas/deferred-event.record';
import { EventOutboxRecord } from '../schemas/event-outbox.record';
import { happening } from '../testing';
import { createRelay } from './testing/relay-of-worker';
import { getEventPartition } from './event-partition';

const MINUTE_MS = 60_000;

/** The effects of a subscriber. */
@Collection('event_relay_spec', { tenant: { notBecause: 'a test' }, indexes: [] })
class NoteRecord {
  @Prop({ type: String, required: true })
  key!: string;
}

describe('the event relay', () => {
  let database: TestDatabase;
  let relay: EventRelayService;
  let notes: Model<NoteRecord>;
  let outbox: Model<EventOutboxRecord>;
  let deferred: Model<DeferredEventRecord>;
  let subscriber: jest.Mocked<Required<Pick<EventSubscriber, 'handle' | 'afterCommit'>>>;
  const mine = systemScope(new Types.ObjectId().toHexString());
  const other = systemScope(new Types.ObjectId().toHexString());
  let serial = 0;

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [EventsModule, DatabaseModule.collections(NoteRecord)] });
    database.clock.freeze(database.clock.now());
    relay = database.module.get(EventRelayService);
    notes = database.module.get(getModelToken(NoteRecord.name));
    outbox = database.module.get(getModelToken(EventOutboxRecord.name));
    deferred = database.module.get(getModelToken(DeferredEventRecord.name));
    subscriber = { handle: jest.fn(), afterCommit: jest.fn() };
    const types = new Set(['email.sent'] as const);
    addListener(database.module.get(HookRegistry), EVENT_SUBSCRIBERS, {
      name: 'spec',
      types,
      handle: (some) => subscriber.handle(some),
      afterCommit: (some) => subscriber.afterCommit(some),
    });
  });
  afterAll(() => database.close());
  afterEach(() => jest.restoreAllMocks());

  beforeEach(async () => {
    database.clock.advance(3_600_000); // No event or workspace of an earlier test still waits.
    subscriber.handle.mockResolvedValue();
    await relay.relay();
    await notes.deleteMany({});
    subscriber.handle.mockReset().mockImplementation(write);
    subscriber.afterCommit.mockReset().mockResolvedValue();
  });

  /** Stores each event in the transaction of the relay. */
  async function write(events: readonly EventRecord[]): Promise<void> {
    await notes.insertMany(events.map(({ dedupeKey }) => ({ key: dedupeKey })));
  }

  async function happens(count: number, type: 'email.sent' | 'lead.completed' = 'email.sent', workspace = mine) {
    const keys = Array.from({ length: count }, () => `${type}:${(serial += 1)}`);
    await database.module.get(EventsService).recordAll(
      workspace,
      keys.map((dedupeKey) => happening(type, dedupeKey)),
    );
    return keys;
  }

  /** Two workspaces of one partition. */
  function ofOnePartition(): [typeof mine, typeof mine] {
    const first = new Types.ObjectId().toHexString();
    for (;;) {
      const second = new Types.ObjectId().toHexString();
      if (getEventPartition(second) === getEventPartition(first)) return [systemScope(first), systemScope(second)];
    }
  }

  const failing =
    (isBad: (event: EventRecord) => boolean, error: () => Error = () => new Error('bad')) =>
    (events: readonly EventRecord[]) =>
      events.some(isBad) ? Promise.reject(error()) : write(events);
  const series = (name: string) => getSeries(database.module, name);
  const noted = async () => (await notes.find().sort({ key: 1 }).lean()).map(({ key }) => key);
  const pending = async (workspace = mine) => {
    const entries = await outbox.find({ workspaceId: workspace.workspaceId }).lean();
    return entries.flatMap(({ eventIds }) => eventIds).length;
  };
  const sizes = () => subscriber.handle.mock.calls.map(([events]) => events.length);

  it('passes each event of all workspaces once, and only subscribed types', async () => {
    const keys = [...(await happens(2)), ...(await happens(1, 'email.sent', other))];
    await happens(1, 'lead.completed');
    const before = await series('outreach_events_relayed_total{type="email.sent"}');
    expect(await relay.relay()).toBe(4);
    expect(await relay.relay()).toBe(0);
    expect(await series('outreach_events_relayed_total{type="email.sent"}')).toBe(before + 3);
    expect(await noted()).toEqual(keys.toSorted());
    expect(subscriber.afterCommit).toHaveBeenCalledTimes(2);
    expect(await outbox.countDocuments().setOptions({ allWorkspaces: 'a test' })).toBe(0);
  });

  it('passes the events of a workspace in the order of recording, at most 500 at a time', async () => {
    const keys = [...(await happens(3)), ...(await happens(1_100)), ...(await happens(2))];
    expect(await relay.relay()).toBe(1_105);
    expect(sizes()).toEqual([3, 500, 500, 102]);
    expect(subscriber.handle.mock.calls.flatMap(([events]) => events.map(({ dedupeKey }) => dedupeKey))).toEqual(keys);
  });

  it('leaves neither its mark nor the follow-up work after a crash, and writes both in the next run', async () => {
    const [key] = await happens(1);
    subscriber.handle.mockImplementation(async (events) => {
      await write(events);
      throw new Error('killed');
    });
    expect(await relay.relay()).toBe(0);
    expect(await noted()).toEqual([]);
    subscriber.handle.mockImplementation(write);
    database.clock.advance(MINUTE_MS);
    expect(await relay.relay()).toBe(1);
    expect(await noted()).toEqual([key]);
  });

  it('finds one bad event of 500 by halving, in at most 20 transactions, and relays all others', async () => {
    const keys = await happens(500);
    subscriber.handle.mockImplementation(failing(({ dedupeKey }) => dedupeKey === keys[311]));
    const [errors, deferrals] = await Promise.all([
      series('outreach_event_batches_total{outcome="error"}'),
      series('outreach_events_deferred_total'),
    ]);
    expect(await relay.relay()).toBe(499);
    expect(await noted()).toEqual(keys.filter((key) => key !== keys[311]).toSorted());
    expect(sizes().length).toBeLessThanOrEqual(20);
    expect(await series('outreach_event_batches_total{outcome="error"}')).toBeGreaterThan(errors);
    expect(await series('outreach_events_deferred_total')).toBe(deferrals + 1);
    expect(await pending()).toBe(0);
    expect(await deferred.countDocuments({ workspaceId: mine.workspaceId })).toBe(1);
  });

  it('retries an event that fails after 1, 2, 5, 15, then 60 minutes, without the other events', async () => {
    const [key] = await happens(1);
    subscriber.handle.mockImplementation(failing(({ dedupeKey }) => dedupeKey === key));
    await relay.relay();
    for (const [index, minutes] of [1, 2, 5, 15, 60, 60].entries()) {
      expect(await deferred.findOne({ workspaceId: mine.workspaceId }).lean()).toMatchObject({ attempts: index + 1 });
      database.clock.advance(minutes * MINUTE_MS - 2_000);
      expect(await relay.relay()).toBe(0);
      expect(sizes()).toHaveLength(index + 1);
      database.clock.advance(3_000);
      await happens(1);
      expect(await relay.relay()).toBe(1);
      expect(sizes().slice(index + 1)).toEqual(expect.arrayContaining([1, 1]));
      subscriber.handle.mock.calls.splice(index + 2);
    }
    subscriber.handle.mockImplementation(write);
    database.clock.advance(60 * MINUTE_MS);
    expect(await relay.relay()).toBe(1);
    expect(await noted()).toContain(key);
    expect(await deferred.countDocuments({ workspaceId: mine.workspaceId })).toBe(0);
  });

  it('runs a conflicting transaction again three times, then halves its events', async () => {
    const keys = await happens(4);
    let conflicts = 2;
    subscriber.handle.mockImplementation((events) => {
      if (events.length > 2 || (conflicts -= 1) >= 0) return Promise.reject(writeConflict('The tally'));
      return write(events);
    });
    const [reruns, failed] = await Promise.all([
      series('outreach_event_batch_reruns_total'),
      series('outreach_event_batches_total{outcome="conflict"}'),
    ]);
    expect(await relay.relay()).toBe(4);
    expect(sizes()).toEqual([4, 4, 4, 4, 2, 2, 2, 2]);
    expect(await noted()).toEqual(keys.toSorted());
    expect(await series('outreach_event_batch_reruns_total')).toBe(reruns + 4 + 2);
    expect(await series('outreach_event_batches_total{outcome="conflict"}')).toBe(failed + 1);
  });

  it('lets a workspace whose events all fail wait for 1, 2, 4 up to 30 seconds', async () => {
    const broken = systemScope(new Types.ObjectId().toHexString());
    subscriber.handle.mockRejectedValue(new Error('broken'));
    await happens(1, 'email.sent', broken);
    await relay.relay();
    for (const [index, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      expect(sizes()).toHaveLength(index + 1);
      await deferred.deleteMany({ workspaceId: broken.workspaceId });
      await happens(1, 'email.sent', broken);
      database.clock.advance(seconds * 1_000 - 1);
      await relay.relay();
      expect(sizes()).toHaveLength(index + 1);
      database.clock.advance(1);
      await relay.relay();
    }
    expect(sizes()).toHaveLength(8);
  });

  it('ends with a batch after 24 failures, and loses none of its events', async () => {
    await happens(60);
    subscriber.handle.mockRejectedValue(new Error('broken'));
    expect(await relay.relay()).toBe(0);
    expect(sizes()).toHaveLength(24);
    const ofMine = await deferred.countDocuments({ workspaceId: mine.workspaceId });
    expect(ofMine).toBeGreaterThan(0);
    expect((await pending()) + ofMine).toBe(60);
  });

  it('lets the workspaces of a partition take turns, and a broken one holds up no other', async () => {
    const [broken, healthy] = ofOnePartition().toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1)) as [
      typeof mine,
      typeof mine,
    ];
    await happens(1_200, 'email.sent', broken);
    await happens(1_200, 'email.sent', healthy);
    const served: string[] = [];
    subscriber.handle.mockImplementation((events) => {
      served.push(events[0]?.workspaceId.toHexString() === broken.workspaceId ? 'first' : 'second');
      return write(events);
    });
    expect(await relay.relay()).toBe(2_400);
    expect(served).toEqual(['first', 'second', 'first', 'second', 'first', 'second']);

    await happens(600, 'email.sent', broken);
    const keys = await happens(600, 'email.sent', healthy);
    await notes.deleteMany({});
    subscriber.handle.mockImplementation(failing(({ workspaceId }) => workspaceId.equals(broken.workspaceId)));
    expect(await relay.relay()).toBe(600);
    expect(await noted()).toEqual(keys.toSorted());
  });

  it('goes on with the other workspaces after one that makes the database unavailable', async () => {
    const [first, second] = ofOnePartition().toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1)) as [
      typeof mine,
      typeof mine,
    ];
    await happens(1, 'email.sent', first);
    const [key] = await happens(1, 'email.sent', second);
    const unavailable = new mongo.MongoNetworkError('away');
    subscriber.handle.mockImplementation(
      failing(
        ({ workspaceId }) => workspaceId.equals(first.workspaceId),
        () => unavailable,
      ),
    );
    await expect(relay.relay()).rejects.toBe(unavailable);
    expect(await pending(first)).toBe(1);
    expect(await relay.relay()).toBe(1);
    expect(await noted()).toEqual([key]);
  });

  it('keeps the relayed events when the subscriber fails after the commit', async () => {
    const [key] = await happens(1);
    subscriber.afterCommit.mockRejectedValue(new Error('no Redis'));
    expect(await relay.relay()).toBe(1);
    expect(await noted()).toEqual([key]);
  });

  it('leaves a partition to the worker that has its lease, and relays the others', async () => {
    await happens(1);
    await happens(2, 'email.sent', other);
    const leases = database.module.get(LeaseService);
    const lease = await leases.acquire(`event-relay:${getEventPartition(mine.workspaceId)}`, 60_000);
    expect(await relay.relay()).toBe(2);
    await leases.release(lease!);
    expect(await relay.relay()).toBe(1);
  });

  it('has one run of a partition in a process, which a second caller gets', async () => {
    await happens(700);
    const acquire = jest.spyOn(database.module.get(LeaseService), 'acquire');
    expect(await Promise.all([relay.relay(), relay.relay(), relay.relay()])).toEqual([700, 700, 700]);
    expect(acquire).toHaveBeenCalledTimes(1);
    expect(await noted()).toHaveLength(700);
  });

  it('begins no further batch when its lease is lost during the run', async () => {
    await happens(1_500);
    const beats: (() => Promise<void>)[] = [];
    jest.spyOn(global, 'setInterval').mockImplementation(((beat: () => Promise<void>, ms: number) => {
      if (ms === 4_000) beats.push(beat);
      return undefined;
    }) as never);
    const renew = jest.spyOn(database.module.get(LeaseService), 'renew').mockResolvedValueOnce(true);
    renew.mockResolvedValueOnce(false);
    subscriber.handle.mockImplementation(async (events) => {
      for (const beat of beats) await beat();
      await write(events);
    });
    expect(await relay.relay()).toBe(1_000);
    expect(renew).toHaveBeenCalledTimes(2);
    expect(await pending()).toBe(500);
  });

  it('relays nothing twice when several workers run at once despite the lease', async () => {
    const workers = [relay, createRelay(database), createRelay(database)];
    const keys = await happens(40);
    // As if the lease of the first worker expired during its run.
    const acquire = jest.spyOn(database.module.get(LeaseService), 'acquire');
    acquire.mockImplementation((name) => Promise.resolve({ name, holder: 'spec', fence: 0 }));
    await Promise.allSettled(workers.map((worker) => worker.relay()));
    expect(acquire.mock.calls.length).toBeGreaterThan(1);
    acquire.mockRestore();
    database.clock.advance(MINUTE_MS);
    await relay.relay();
    expect(await noted()).toEqual(keys.toSorted());
    expect(await deferred.countDocuments({ workspaceId: mine.workspaceId })).toBe(0);
  });

  it('shows the age of the oldest event that waits', async () => {
    const age = async () => (await database.module.get(CollectionIndexService).getDueAges()).get('event-relay');
    expect(await age()).toBe(0);
    await happens(1);
    database.clock.advance(90_000);
    expect(await age()).toBeGreaterThanOrEqual(90);
    await relay.relay();
    expect(await age()).toBe(0);
  });
});
