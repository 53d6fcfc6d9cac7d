import { HookRegistry } from '@platform/hooks';
import { systemScope } from '@domain/access';
import { ClusterMembershipService } from '@platform/cluster';
import { LogService } from '@platform/observability';
import { addListener, type TestDatabase, eventually, openTestDatabase } from '@testing';
import { Types } from 'mongoose';
import { EventRelayService, EVENT_SUBSCRIBERS, EventsModule, EventsService, type NewEvent } from '..';
import { EventOutboxRepository } from './event-outbox.repository';
import { createRelay } from './testing/relay-of-worker';

describe('polling by the event relay', () => {
  let database: TestDatabase;
  let workers: EventRelayService[];
  const taken: string[] = [];

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [EventsModule] });
    addListener(database.module.get(HookRegistry), EVENT_SUBSCRIBERS, {
      name: 'spec',
      types: new Set(['mailbox.deleted'] as const),
      handle: (events) => Promise.resolve(void taken.push(...events.map(({ dedupeKey }) => dedupeKey))),
    });
  });
  beforeEach(() => {
    taken.length = 0;
    workers = [createRelay(database), createRelay(database)];
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const worker of workers) await worker.stop();
  });
  afterAll(() => database.close());

  const happens = (dedupeKey: string) => {
    const event: NewEvent = { type: 'mailbox.deleted', dedupeKey, about: {}, data: { email: 'me@example.com' } };
    return database.module.get(EventsService).record(systemScope(new Types.ObjectId().toHexString()), event);
  };

  it('relays each event without a request, also after a failure, until it is stopped', async () => {
    const [worker] = workers as [EventRelayService];
    const polls = jest.spyOn(database.module.get(EventOutboxRepository), 'listPartitions');
    polls.mockRejectedValueOnce(new Error('away')).mockRejectedValueOnce(new Error('away'));
    const warned = jest.spyOn(database.module.get(LogService), 'warn');
    worker.start();
    await happens('first');
    await eventually('the first event is relayed', () => taken.includes('first'));
    expect(polls.mock.calls.length).toBeGreaterThan(2);
    expect(warned).toHaveBeenCalledTimes(1);
    await happens('second');
    await eventually('the second event is relayed', () => taken.includes('second'));
    await worker.stop();
    const calls = polls.mock.calls.length;
    await happens('third');
    await new Promise((done) => setImmediate(done));
    expect(polls.mock.calls.length).toBe(calls);
    expect(taken).toEqual(['first', 'second']);
    expect(await database.module.get(EventRelayService).relay()).toBe(1);
  });

  it('is divided among the live workers, and the share of one that ends passes to the others', async () => {
    const [first, second] = workers as [EventRelayService, EventRelayService];
    const join = jest.spyOn(database.module.get(ClusterMembershipService), 'join');
    for (const worker of workers) worker.start();
    await eventually('both workers know each other', async () =>
      (await Promise.all(join.mock.results.map(({ value }) => value as Promise<string[]>))).some(
        (members) => members.length === 2,
      ),
    );
    const keys = Array.from({ length: 12 }, (_, index) => `shared-${index}`);
    for (const key of keys) await happens(key);
    await eventually('all events are relayed', () => taken.length === keys.length);
    expect(taken.toSorted()).toEqual(keys.toSorted());
    await first.stop();
    await happens('after');
    await eventually('the other worker relays', () => taken.includes('after'));
    await second.stop();
  });
});
