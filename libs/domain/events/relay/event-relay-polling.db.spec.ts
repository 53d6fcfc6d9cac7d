import { HookRegistry } from '@platform/hooks';
import { systemScope } from '@domain/access';
import { addListener, type TestDatabase, eventually, openTestDatabase } from '@testing';
import { LogService } from '@platform/observability';
import { Types } from 'mongoose';
import { EventRelayService, EVENT_SUBSCRIBERS, EventsModule, EventsService, type NewEvent } from '..';

describe('polling by the event relay', () => {
  let database: TestDatabase;
  const taken: string[] = [];

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [EventsModule] });
    addListener(database.module.get(HookRegistry), EVENT_SUBSCRIBERS, {
      name: 'spec',
      types: new Set(['mailbox.deleted'] as const),
      handle: (events) => Promise.resolve(void taken.push(...events.map(({ dedupeKey }) => dedupeKey))),
    });
  });
  afterAll(() => database.close());

  const happens = (dedupeKey: string) => {
    const event: NewEvent = { type: 'mailbox.deleted', dedupeKey, about: {}, data: { email: 'me@example.com' } };
    return database.module.get(EventsService).record(systemScope(new Types.ObjectId().toHexString()), event);
  };

  it('relays each event without a request, also after a failure, until it is stopped', async () => {
    const follower = database.module.get(EventRelayService);
    const failing = jest.spyOn(database.module.get(EventRelayService), 'relay');
    failing.mockRejectedValueOnce(new Error('away')).mockRejectedValueOnce(new Error('away'));
    const warned = jest.spyOn(database.module.get(LogService), 'warn');
    follower.start();
    await happens('first');
    await eventually('the first event is relayed', () => taken.includes('first'));
    expect(failing.mock.calls.length).toBeGreaterThan(2);
    expect(warned).toHaveBeenCalledTimes(1);
    await happens('second');
    await eventually('the second event is relayed', () => taken.includes('second'));
    await follower.stop();
    const calls = failing.mock.calls.length;
    await happens('third');
    await new Promise((done) => setImmediate(done));
    expect(failing.mock.calls.length).toBe(calls);
    expect(taken).toEqual(['first', 'second']);
  });
});
