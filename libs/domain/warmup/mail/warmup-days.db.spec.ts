import { MailboxFiguresService } from '@domain/mailboxes';
import { addDays, getDay } from '@platform/time';
import { DEEP } from '@testing';
import { Types } from 'mongoose';
import { getWarmupShare } from '../plan/volume';
import { type WarmupMailRecord } from '../schemas/warmup-mail.record';
import { WARMUP_HEADER } from '../warmup-header.service';
import { WarmupSimulation } from '../simulate/warmup-simulation';
import { WarmupEngine, type WarmMailbox } from './testing/warmup-engine';

/** Midnight of a Monday. */
const MONDAY = new Date('2026-11-23T00:00:00.000Z');
const FIRST_DAY = '2026-11-23';
/** The threads that each mailbox begins per day: up to the target, and one day more. */
const VOLUMES = DEEP ? [2, 3, 4, 4] : [1, 2, 2];
const TARGET = VOLUMES.at(-1);
/** Half of the mailboxes in each of two workspaces. */
const MAILBOXES = DEEP ? 6 : 4;
const DAYS = VOLUMES.length;
const LAST_DAY = addDays(FIRST_DAY, DAYS - 1);
const DAY_MS = 86_400_000;
/** Several days take long on a slow machine. */
const PATIENCE_MS = 600_000;
const GAP_SECONDS = 120;
const LIMIT = 20;
const CONFIG = { startingVolume: VOLUMES[0], dailyIncrease: 1, targetVolume: TARGET };

let engine: WarmupEngine;

afterAll(() => engine.close());

function countBy<T>(all: readonly T[], keyOf: (one: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of all) counts[keyOf(one)] = (counts[keyOf(one)] ?? 0) + 1;
  return counts;
}

describe('the daily warmup of mailboxes in two workspaces', () => {
  const mailboxes: WarmMailbox[] = [];
  let sent: WarmupMailRecord[];

  beforeAll(async () => {
    engine = await WarmupEngine.open();
    await engine.reset(MONDAY);
    for (let index = 0; index < MAILBOXES; index += 1) {
      if (index === MAILBOXES / 2) await engine.switchWorkspace();
      mailboxes.push(await engine.mailboxes.create(CONFIG, { sendGapSeconds: GAP_SECONDS, dailySendLimit: LIMIT }));
    }
    // On the evening of each day, every opening of the day is answered.
    for (let day = 1; day <= DAYS; day += 1) {
      await engine.runs.advanceTo(new Date(MONDAY.getTime() + (day - 1) * DAY_MS + 17 * 3_600_000));
      const openings = await engine.records.sent({ state: 'sent', position: 0, day: addDays(FIRST_DAY, day - 1) });
      for (const [index, mail] of openings.entries()) {
        if (index % 2 === 0) await engine.records.insertAnswer(mail, engine.sending.clock.in(60_000));
      }
      await engine.runs.advanceTo(new Date(MONDAY.getTime() + day * DAY_MS - 1));
    }
    sent = await engine.records.sent();
  }, PATIENCE_MS);

  it('sends each planned mail exactly once', () => {
    expect(countBy(sent, ({ state }) => state)).toEqual({ sent: sent.length });
    const given = engine.sending.server.given.map(({ messageId }) => messageId);
    expect(given.toSorted()).toEqual(sent.map(({ messageId }) => messageId).toSorted());
    expect(new Set(given).size).toBe(given.length);
    const openings = sent.filter(({ position }) => position === 0).length;
    expect(sent.filter(({ position }) => position === 1).length).toBeGreaterThan(openings / 3);
  });

  it('begins as many threads per day as the simulation', async () => {
    const settings = await Promise.all(
      mailboxes.map(async (mailbox) => ({
        id: mailbox.id,
        config: (await engine.records.warmup(mailbox)).config,
        dailySendLimit: LIMIT,
        gapSeconds: GAP_SECONDS,
        timezone: 'UTC',
      })),
    );
    const simulation = new WarmupSimulation({
      mailboxes: settings,
      firstDay: FIRST_DAY,
      days: DAYS,
      fate: () => 'inbox',
      seed: '',
    }).run();
    const begun = sent.filter(({ position }) => position === 0);
    expect(countBy(begun, ({ day, mailboxId }) => `${day} ${mailboxId.toHexString()}`)).toEqual(
      countBy(
        simulation.sent.filter(({ position }) => position === 0),
        ({ date, from }) => `${date} ${from}`,
      ),
    );
    expect(begun).toHaveLength(MAILBOXES * VOLUMES.reduce((sum, volume) => sum + volume, 0));
  });

  it('writes across workspaces and never to the same mailbox', () => {
    const workspaces = sent.map(({ workspaceId, counterpart }) => workspaceId.equals(counterpart.workspaceId));
    expect(new Set(workspaces)).toEqual(new Set([true, false]));
    expect(sent.some(({ mailboxId, counterpart }) => mailboxId.equals(counterpart.mailboxId))).toBe(false);
    const addresses = new Map(mailboxes.map(({ id, email }) => [id, email]));
    const pairs = sent.map((mail) => {
      const [from, to] = [mail.mailboxId, mail.counterpart.mailboxId].map((id) => addresses.get(id.toHexString()));
      return `${from} ${to}`;
    });
    const given = engine.sending.server.given.map(({ from, to }) => `${from} ${to}`);
    expect(given.toSorted()).toEqual(pairs.toSorted());
  });

  it('respects the gap, the hours and the share of the daily limit', async () => {
    for (const mailbox of mailboxes) {
      const own = sent.filter(({ mailboxId }) => mailboxId.toHexString() === mailbox.id).map(({ at }) => at!);
      const gaps = own.slice(1).map((at, index) => at.getTime() - own[index]!.getTime());
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(GAP_SECONDS * 1_000);
      const hours = own.map((at) => at.toISOString().slice(11, 16));
      expect(hours.every((time) => time >= '08:00' && time < '19:00')).toBe(true);
      const share = getWarmupShare(LIMIT, (await engine.records.warmup(mailbox)).config);
      expect(Math.max(...Object.values(countBy(own, (at) => getDay(at, 'UTC'))))).toBeLessThanOrEqual(share);
    }
  });

  it('counts each day’s mails and advances by a day', async () => {
    for (const mailbox of mailboxes) {
      const own = sent.filter(({ mailboxId }) => mailboxId.toHexString() === mailbox.id);
      const days = await engine.records.days(mailbox);
      expect(days.map(({ sent: count }) => count)).toEqual(Object.values(countBy(own, ({ day }) => day)));
      expect(days.map(({ attempted, sent: count }) => attempted - count)).toEqual(VOLUMES.map(() => 0));
      expect(days.map(({ openings }) => openings)).toEqual(VOLUMES);
      expect(await engine.records.warmup(mailbox)).toMatchObject({
        currentDay: DAYS,
        currentVolume: TARGET,
        plannedDay: LAST_DAY,
      });
    }
  });

  it('uses the daily limits and appears in no other figure and no event', async () => {
    const [mailbox] = mailboxes as [WarmMailbox];
    const record = await engine.records.mailbox(mailbox);
    expect(record).toMatchObject({
      totalSent: 0,
      totalBounced: 0,
      warmup: { currentDay: DAYS, status: 'in_progress' },
    });
    const today = await engine.sending.get(MailboxFiguresService).sentToday(mailbox.workspace, [record]);
    const sentToday = sent.filter(({ day, mailboxId }) => day === LAST_DAY && mailboxId.equals(record._id));
    expect(today.get(mailbox.id)).toBe(sentToday.length);
    expect(await engine.sending.events()).toEqual([]);
  });

  it('answers in the thread, with references and quotes', async () => {
    const answer = sent.find(({ position }) => position === 1)!;
    const opening = sent.find(({ threadId, position }) => threadId.equals(answer.threadId) && position === 0)!;
    const { text } = engine.sending.server.given.find(({ messageId }) => messageId === answer.messageId)!;
    expect(text).toContain(`In-Reply-To: ${opening.messageId}`);
    expect(text).toContain(`References: ${opening.messageId}`);
    expect(text).toMatch(new RegExp(`^${WARMUP_HEADER}: \\S+`, 'm'));
    expect(text).not.toMatch(/List-Unsubscribe|<img|https?:/i);
    expect(answer.subject).toMatch(new RegExp(`^re: ${opening.subject.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, 'i'));
    expect(text).toMatch(/^> \S/m);
    const [thread] = await engine.records.threads({ _id: new Types.ObjectId(answer.threadId) });
    expect(thread).toMatchObject({ subject: opening.subject, messageIds: [opening.messageId, answer.messageId] });
  });
});
