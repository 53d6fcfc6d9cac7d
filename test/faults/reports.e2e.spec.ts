import { LONG } from '@testing';
import { ReportDeliveryService } from '@domain/reports';
import { getConnectionToken } from '@nestjs/mongoose';
import { QueuesService } from '@platform/queues';
import { type Connection } from 'mongoose';
import { type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { reportsFacts, reportsSentOnce } from '../harness/invariants-reports';
import { isEventually } from '../harness/sending';
import { seededMailbox } from '../mailboxes/sandbox';
import { addRecipient, chooseSender, type Recipient } from '../reports/reporting';
import { Fleet } from './cluster';
import { Chance, SEED, tell } from './seeded';

const RECIPIENTS = LONG ? 200 : 12;
const WORKERS = 2;
const KILLS = LONG ? 10 : 2;
const WITHIN_MS = LONG ? 1_500_000 : 180_000;
const MAX_RESOLUTIONS = 15;
const DAY_MS = 86_400_000;
/** Longer than a crashed worker’s lease on a report, and than the wait before the next resolution. */
const LATER_MS = 31 * 60_000;

interface Stored {
  _id: { toHexString(): string };
  workspaceId: { toHexString(): string };
  recipientId: { toHexString(): string };
  key: string;
  state: string;
  dueAt?: Date;
}

/**
 * Worker processes, as in production, are killed while the reports of many recipients are due, and Redis is emptied
 * at each kill.
 */
describe(`reports and workers that are killed (seed ${SEED})`, () => {
  const chance = new Chance(SEED);
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailbox: { _id: string; email: string };
  let fleet: Fleet;

  beforeAll(async () => {
    platform = await startPlatform();
    workspace = await platform.seed.workspace();
    mailbox = await seededMailbox(platform, workspace.workspaceId);
    const { key } = workspace;
    await platform.api.as(key).patch(`/v1/mailboxes/${mailbox._id}`).send({ dailySendLimit: 2_000 }).expect(200);
    await chooseSender(platform, workspace, mailbox._id);
    fleet = await Fleet.of(
      platform,
      Array.from({ length: WORKERS }, () => ({})),
    );
  });
  afterAll(async () => {
    await fleet.killAll();
    await platform.close();
  });

  const stored = () =>
    platform.app.get<Connection>(getConnectionToken()).collection('reports').find<Stored>({}).toArray();
  const isOpen = ({ state }: Stored) => state === 'planned' || state === 'sending';
  /** All reports exist, and those that are open wait for a later resolution. */
  async function isIdle(): Promise<boolean> {
    const reports = await stored();
    const isLater = ({ state, dueAt }: Stored) =>
      state === 'sending' && dueAt !== undefined && dueAt > platform.clock.now();
    return reports.length === RECIPIENTS && reports.every((report) => !isOpen(report) || isLater(report));
  }
  const ended = async () => (await stored()).filter((report) => !isOpen(report)).length;

  /** Kills all workers, empties Redis, and advances the clock until every lease has expired. */
  async function kill(): Promise<void> {
    await fleet.killAll();
    await platform.app.get(QueuesService).obliterate();
    platform.clock.advance(LATER_MS);
    await fleet.start();
  }

  /** Resolves ambiguous reports for two hours; in this process, since no more kills follow. */
  async function resolveAgain(): Promise<void> {
    platform.clock.advance(LATER_MS);
    const deliveries = platform.app.get(ReportDeliveryService, { strict: false });
    for (const { _id, workspaceId } of (await stored()).filter(isOpen)) {
      const asked = { workspaceId: workspaceId.toHexString(), reportId: _id.toHexString() };
      await deliveries.run(asked, new AbortController().signal);
    }
  }

  it(
    `each of ${RECIPIENTS} recipients gets one mail, or has one whose outcome is unknown`,
    async () => {
      const recipients: Recipient[] = [];
      for (let index = 0; index < RECIPIENTS; index += 1) {
        recipients.push(await addRecipient(platform, workspace, { schedule: { frequency: 'monthly' } }));
      }
      platform.clock.advance(40 * DAY_MS);
      await fleet.start();
      for (let killed = 1; killed <= KILLS; killed += 1) {
        // At a random point of the work.
        const due = Math.floor((RECIPIENTS / (KILLS + 1)) * (killed - chance.next()));
        expect(await isEventually(async () => (await ended()) >= due, WITHIN_MS)).toBe(true);
        await kill();
      }
      expect(await isEventually(isIdle, WITHIN_MS)).toBe(true);
      await fleet.killAll();
      for (let round = 0; round < MAX_RESOLUTIONS && (await stored()).some(isOpen); round += 1) await resolveAgain();
      const reports = await stored();
      tell(SEED, { reports: reports.length, kills: fleet.kills, states: reports.map(({ state }) => state).join() });

      const ids = reports.map(({ recipientId }) => recipientId.toHexString());
      expect(ids.toSorted()).toEqual(recipients.map(({ _id }) => _id).toSorted());
      expect(new Set(reports.map(({ key }) => key)).size).toBe(1);
      expect(reports.filter(({ state }) => state !== 'sent' && state !== 'unknown')).toEqual([]);

      const facts = await reportsFacts(platform, workspace.workspaceId);
      expect([...reportsSentOnce(facts, { settled: true })]).toEqual([]);
      expect(facts.accepted.length).toBeLessThanOrEqual(RECIPIENTS);
    },
    4 * WITHIN_MS,
  );
});
