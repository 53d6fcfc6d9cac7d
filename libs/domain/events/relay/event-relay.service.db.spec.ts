import { HookRegistry } from '@platform/hooks';
import { systemScope } from '@domain/access';
import { getModelToken, Prop } from '@nestjs/mongoose';
import { Collection, DatabaseModule, LeaseService } from '@platform/database';
import { addListener, openTestDatabase, getSeries, type TestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import {
  type EventRecord,
  EventRelayService,
  EventsModule,
  EventsService,
  type EventSubscriber,
  EVENT_SUBSCRIBERS,
} from '..';
import { happening } from '../testing';

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
  let subscriber: jest.Mocked<Required<Pick<EventSubscriber, 'handle' | 'afterCommit'>>>;
  const mine = systemScope(new Types.ObjectId().toHexString());
  const other = systemScope(new Types.ObjectId().toHexString());
  let serial = 0;

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [EventsModule, DatabaseModule.collections(NoteRecord)] });
    relay = database.module.get(EventRelayService);
    notes = database.module.get(getModelToken(NoteRecord.name));
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

  beforeEach(async () => {
    database.clock.advance(3_600_000); // No event of an earlier test is still postponed.
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

  const relayed = () => getSeries(database.module, 'outreach_events_relayed_total{type="email.sent"}');
  const noted = async () => (await notes.find().sort({ key: 1 }).lean()).map(({ key }) => key);

  it('passes each event of all workspaces once, and only subscribed types', async () => {
    const keys = [...(await happens(2)), ...(await happens(1, 'email.sent', other))];
    await happens(1, 'lead.completed');
    const before = await relayed();
    expect(await relay.relay()).toBe(4);
    expect(await relay.relay()).toBe(0);
    expect(await relayed()).toBe(before + 3);
    expect(await noted()).toEqual(keys.toSorted());
    expect(subscriber.afterCommit).toHaveBeenCalledTimes(1);
  });

  it('relays more than one batch in a run', async () => {
    await happens(1_100);
    expect(await relay.relay()).toBe(1_100);
    expect(await noted()).toHaveLength(1_100);
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
    database.clock.advance(60_000);
    expect(await relay.relay()).toBe(1);
    expect(await noted()).toEqual([key]);
  });

  it('delays no other event when one fails, and retries the failed one a minute later', async () => {
    const keys = await happens(5);
    subscriber.handle.mockImplementation((events) =>
      events.some(({ dedupeKey }) => dedupeKey === keys[2]) ? Promise.reject(new Error('bad')) : write(events),
    );
    expect(await relay.relay()).toBe(4);
    expect(await noted()).toEqual(keys.filter((key) => key !== keys[2]));
    expect(await getSeries(database.module, 'outreach_events_deferred_total')).toBeGreaterThan(0);
    subscriber.handle.mockImplementation(write);
    expect(await relay.relay()).toBe(0);
    database.clock.advance(60_000);
    expect(await relay.relay()).toBe(1);
  });

  it('keeps the relayed events when the subscriber fails after the commit', async () => {
    const [key] = await happens(1);
    subscriber.afterCommit.mockRejectedValue(new Error('no Redis'));
    expect(await relay.relay()).toBe(1);
    expect(await noted()).toEqual([key]);
  });

  it('does nothing while another worker has the lease', async () => {
    await happens(1);
    const leases = database.module.get(LeaseService);
    const lease = await leases.acquire('event-relay', 60_000);
    expect(await relay.relay()).toBe(0);
    await leases.release(lease!);
    expect(await relay.relay()).toBe(1);
  });

  it('relays nothing twice when several workers run at once despite the lease', async () => {
    const keys = await happens(40);
    // As if the lease of the first worker expired during its run.
    const acquire = jest.spyOn(database.module.get(LeaseService), 'acquire');
    acquire.mockImplementation((name) => Promise.resolve({ name, holder: 'spec', fence: 0 }));
    await Promise.allSettled([relay.relay(), relay.relay(), relay.relay()]);
    acquire.mockRestore();
    database.clock.advance(60_000);
    await relay.relay();
    expect(await noted()).toEqual(keys.toSorted());
  });
});
