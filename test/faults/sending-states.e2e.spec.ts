import { type MailboxLeaseRecord, type SendRecord } from '@domain/sends';
import { FaultProxy } from '@testing';
import { type Platform, sendingFigures, startPlatform, startTestWorker, violations } from '../harness';
import { isEventually, settleSending } from '../harness/sending';
import { bsonField } from './bson-field';
import { PlatformProcess } from './processes';
import { SendingUnderFaults } from './sending-environment';

const SENDING = bsonField<SendRecord>({ state: 'sending' });
const LEASE_RELEASED = bsonField<MailboxLeaseRecord>({ holder: '' });
const COMMIT = 'commitTransaction';

/** The message to MongoDB at which the worker is killed, and whether it was carried out. */
const STATES: readonly [name: string, text: string, options: { nth?: number; carriedOut?: boolean }][] = [
  ['before an email is claimed', COMMIT, {}],
  ['when it is claimed', COMMIT, { carriedOut: true }],
  ['before it is marked as sending', SENDING, {}],
  ['when it is marked, before the handover', SENDING, { carriedOut: true }],
  ['when the server has accepted it, before the outcome is written', COMMIT, { nth: 2 }],
  ['when the outcome is written', COMMIT, { nth: 2, carriedOut: true }],
  ['when the next one is claimed', COMMIT, { nth: 3, carriedOut: true }],
  ['before the lease is released', LEASE_RELEASED, {}],
  ['when the lease is released', LEASE_RELEASED, { carriedOut: true }],
];
const LEADS = ['fine.1', 'fine.2', 'fine.3'];

describe('kill -9 of the worker at each state of an email', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterEach(() => platform.clock.reset());
  afterAll(() => platform.close());

  it.each(STATES)(
    '%s: no email is sent twice, none is lost, at most this one is uncertain',
    async (_at, text, options) => {
      const scenario = await SendingUnderFaults.start(platform, { leads: LEADS });
      const database = new FaultProxy(platform.config.mongodbUri);
      const env = { MONGODB_URI: await database.start(), WORKER_QUEUES: 'mailbox-send' };
      const doomed = await PlatformProcess.of('worker', platform.config, env);
      await doomed.start();
      const reached = database.at(text, 'silence', options);
      await scenario.begin();
      await reached;
      await doomed.end('SIGKILL');
      await database.cut();
      expect(await violations(platform, scenario.workspaceId)).toEqual([]);

      const worker = await startTestWorker(platform);
      const settled = await settleSending(platform, worker, scenario.workspaceId);
      await worker.close();
      expect(await violations(platform, scenario.workspaceId, { settled: true })).toEqual([]);
      expect(settled).toBe(true);
      const figures = await sendingFigures(platform, scenario.workspaceId);
      expect(figures).toMatchObject({ sends: 6, duplicates: 0, losses: 0, failed: 0 });
      expect(figures.ambiguous).toBeLessThanOrEqual(1);
      expect(figures.accepted).toBeGreaterThanOrEqual(figures.sends - figures.ambiguous);
    },
  );

  it.each(['hang-after-dot', 'hang-after-dot-stored'])(
    'while the server processes the message (%s): it is searched for and never sent again',
    async (name) => {
      const scenario = await SendingUnderFaults.start(platform, { leads: [`${name}.1`, 'fine.2'], steps: 1 });
      const doomed = await PlatformProcess.of('worker', platform.config, { WORKER_QUEUES: 'mailbox-send' });
      await doomed.start();
      await scenario.begin();
      const isInTransit = async () =>
        (await scenario.sends()).some(({ state, email }) => state === 'sending' && email.startsWith(name));
      expect(await isEventually(isInTransit)).toBe(true);
      const given = async () => name === 'hang-after-dot' || (await scenario.accepted()) > 0;
      expect(await isEventually(given)).toBe(true);
      await doomed.end('SIGKILL');

      const worker = await startTestWorker(platform);
      const settled = await settleSending(platform, worker, scenario.workspaceId);
      await worker.close();
      expect(await violations(platform, scenario.workspaceId, { settled: true })).toEqual([]);
      expect(settled).toBe(true);
      const figures = await sendingFigures(platform, scenario.workspaceId);
      expect(figures).toMatchObject({ sends: 2, duplicates: 0, losses: 0, ambiguous: 1 });
    },
  );
});
