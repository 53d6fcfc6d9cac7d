import { systemScope } from '@domain/access';
import { EventsModule, EventsService } from '@domain/events';
import { Types } from 'mongoose';
import { happening, sampleData } from '../domain/events/testing';
import { openTestDatabase, type TestDatabase } from './test.module';

describe('the events of a suite', () => {
  let database: TestDatabase;
  const workspace = systemScope(new Types.ObjectId().toHexString());

  beforeEach(async () => {
    database = await openTestDatabase({ imports: [EventsModule] });
  });

  const record = (event: Parameters<EventsService['record']>[1]) =>
    database.module.get(EventsService).record(workspace, event);

  it('pass when they match their schemas', async () => {
    await record(happening('email.sent', 'one'));
    await expect(database.close()).resolves.toBeUndefined();
  });

  const data = sampleData('email.sent');

  it.each([
    ['lacks fields', {}, 'email.sent: must have required property'],
    ['has a field that is not declared', { ...data, token: 'x' }, 'email.sent: must NOT have additional properties'],
    ['has a value of another type', { ...data, step: 'first' }, 'email.sent: /step must be integer'],
  ])('fail the suite when the data of one %s', async (_name, wrong, message) => {
    await record({ ...happening('email.sent', 'two'), data: wrong } as never);
    await expect(database.close()).rejects.toThrow(message);
  });
});
