import { MailboxFiguresService, MailboxUpdateService } from '@domain/mailboxes';
import { MailboxSenderService } from '@domain/sending';
import { MailboxLeaseService } from '@domain/sends';
import { Types } from 'mongoose';
import { refused } from '../../../sending/testing';
import { WarmupsService } from '../../config/warmups.service';
import { type WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { type DatabaseSnapshot } from '../testing/database-snapshots';
import { WarmupEngine, type WarmMailbox } from '../testing/warmup-engine';
import { WarmupMailRepository } from './warmup-mail.repository';
import { WarmupSenderService } from './warmup-sender.service';

/** A Monday. */
const MORNING = new Date('2026-11-23T06:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CONFIG = { startingVolume: 3, dailyIncrease: 1, targetVolume: 5 };

let engine: WarmupEngine;
let ada: WarmMailbox;
let bob: WarmMailbox;
let planned: DatabaseSnapshot;

beforeAll(async () => {
  engine = await WarmupEngine.open();
  await engine.reset(MORNING);
  ada = await engine.mailboxes.create(CONFIG);
  bob = await engine.mailboxes.create(CONFIG);
  for (let others = 0; others < 3; others += 1) await engine.mailboxes.create(CONFIG);
  await engine.runs.planMorningOf(ada);
  planned = await engine.snapshots.take();
});
afterAll(() => engine.close());
beforeEach(() => engine.snapshots.restore(planned));

const given = () => engine.sending.server.given;
const first = async (mailbox = ada): Promise<WarmupMailRecord> => (await engine.records.sentFrom(mailbox))[0]!;
const stored = async ({ _id }: Pick<WarmupMailRecord, '_id'>): Promise<WarmupMailRecord> =>
  (await engine.records.sent({ _id }))[0]!;
const today = async (mailbox = ada) => (await engine.records.days(mailbox))[0];
const sentToday = async () => {
  const record = await engine.records.mailbox(ada);
  return (await engine.sending.get(MailboxFiguresService).sentToday(ada.workspace, [record])).get(ada.id) ?? 0;
};

/** Advances the clock to the due time of the mailbox’s first mail. */
async function due(mailbox = ada): Promise<WarmupMailRecord> {
  const mail = await first(mailbox);
  engine.sending.clock.freeze(mail.dueAt!);
  return mail;
}

describe('a warmup mail', () => {
  it('is sent when it is due, not before, and uses the mailbox’s budget', async () => {
    const mail = await first();
    engine.sending.clock.freeze(new Date(mail.dueAt!.getTime() - 1));
    await engine.runs.send(ada);
    expect(given()).toEqual([]);
    await due();
    await engine.runs.send(ada);
    expect(given()).toHaveLength(1);
    expect(await stored(mail)).toMatchObject({
      state: 'sent',
      attempt: 1,
      at: engine.sending.clock.now(),
      reason: null,
    });
    expect((await stored(mail)).dueAt).toBeUndefined();
    expect(await engine.sending.leaseOf(ada.id)).toMatchObject({ dayUsed: 1, lastSentAt: engine.sending.clock.now() });
    expect(await sentToday()).toBe(1);
    expect(await today()).toMatchObject({ attempted: 1, sent: 1, openings: 1 });
  });

  it('is sent from a mailbox without an earlier lease, which schedules no campaign run', async () => {
    expect((await engine.sending.get(MailboxLeaseService).findStates(ada.workspace.workspaceId, [ada.id])).size).toBe(
      0,
    );
    await due();
    await engine.runs.send(ada);
    expect(given()).toHaveLength(1);
    await engine.sending.get(MailboxSenderService).run(payload(), new AbortController().signal);
    expect((await engine.sending.leaseOf(ada.id)).nextAt).toBeUndefined();
  });

  it('leaves the next scheduled run of the mailbox unchanged', async () => {
    const mail = await due();
    const nextAt = new Date(mail.dueAt!.getTime() + HOUR);
    await engine.sending.get(MailboxLeaseService).scheduleNow(ada.workspace.workspaceId, [ada.id], nextAt);
    await engine.runs.send(ada);
    expect(given()).toHaveLength(1);
    expect((await engine.sending.leaseOf(ada.id)).nextAt).toEqual(nextAt);
  });

  it('waits while another worker holds the mailbox lease', async () => {
    const mail = await due();
    await engine.sending.get(MailboxLeaseService).scheduleNow(ada.workspace.workspaceId, [ada.id]);
    const lease = await engine.sending.get(MailboxLeaseService).acquire(ada.id);
    await engine.runs.send(ada);
    expect(given()).toEqual([]);
    expect((await stored(mail)).dueAt!.getTime()).toBeGreaterThan(engine.sending.clock.now().getTime());
    await engine.sending.get(MailboxLeaseService).complete(lease!, null);
    engine.sending.clock.advance(MINUTE);
    await engine.runs.send(ada);
    expect(given()).toHaveLength(1);
  });

  it('is not sent to a mailbox that has left the pool', async () => {
    const mail = await due();
    const counterpart = mail.counterpart.mailboxId.toHexString();
    await engine.sending.get(WarmupsService).pause(ada.workspace, counterpart);
    await engine.runs.send(ada);
    expect(given().filter(({ to }) => to === bob.email && counterpart === bob.id)).toEqual([]);
    expect(await stored(mail)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('no longer in warmup'),
    });
  });
});

describe('a warmup mail that its server rejects', () => {
  const answered = async (...answers: ReturnType<typeof refused>[]): Promise<WarmupMailRecord> => {
    const mail = await due();
    engine.sending.server.answers.push(...answers);
    await engine.runs.send(ada);
    return mail;
  };

  it('because of the recipient fails and counts as bounced, without a suppression', async () => {
    const mail = await answered(refused('permanent', 'recipient', '550 5.1.1 No such user'));
    expect(await stored(mail)).toMatchObject({ state: 'failed', reason: '550 5.1.1 No such user' });
    expect(await today()).toMatchObject({ attempted: 1, sent: 0, bounced: 1, blocked: 0 });
    expect(await engine.sending.events()).toEqual([]);
    expect(await engine.records.mailbox(ada)).toMatchObject({ totalSent: 0, totalBounced: 0 });
    expect(
      await engine.sending
        .model({ name: 'SuppressionRecord' })
        .countDocuments({ workspaceId: ada.workspace.workspaceId }),
    ).toBe(0);
  });

  it('because of the sending mailbox fails and counts as blocked, and the mailbox is stopped', async () => {
    const mail = await answered(refused('permanent', 'sender', '550 5.7.1 Sender rejected as spam'));
    expect(await stored(mail)).toMatchObject({ state: 'failed' });
    expect(await today()).toMatchObject({ attempted: 1, blocked: 1, bounced: 0 });
    expect((await engine.sending.leaseOf(ada.id)).stopped).toMatchObject({ code: 'REFUSED' });
    expect(await engine.sending.events()).toEqual(['mailbox.sending_stopped']);
    engine.sending.clock.advance(HOUR);
    await engine.runs.send(ada);
    expect(given()).toEqual([]);
  });

  it('temporarily is retried and counts as deferred once', async () => {
    const greylisted = refused('temporary', 'recipient', '451 4.7.1 Try again later');
    const mail = await answered(greylisted, greylisted);
    expect(await stored(mail)).toMatchObject({ state: 'planned', attempt: 1, reason: '451 4.7.1 Try again later' });
    for (let minutes = 0; minutes < 30 && given().length === 0; minutes += 1) {
      engine.sending.clock.advance(MINUTE);
      await engine.runs.send(ada);
    }
    expect(await stored(mail)).toMatchObject({ state: 'sent', attempt: 3, reason: null });
    expect(given()[0]).toMatchObject({ messageId: (await stored(mail)).messageId });
    expect(await today()).toMatchObject({ attempted: 1, deferred: 1, sent: 1 });
  });

  it('as unreachable waits without an attempt, and the mailbox shows the connection failure', async () => {
    const mail = await answered(refused('temporary', 'connect'));
    expect(await stored(mail)).toMatchObject({ state: 'planned', attempt: 0 });
    expect((await stored(mail)).dueAt!.getTime()).toBeGreaterThan(engine.sending.clock.now().getTime() + MINUTE);
    expect(await engine.sending.leaseOf(ada.id)).toMatchObject({ dayUsed: 0 });
    expect(await engine.records.mailbox(ada)).toMatchObject({ connection: { state: 'degraded' } });
    expect(await today()).toBeUndefined();
  });

  it('without an answer is never handed over again', async () => {
    const mail = await answered(refused('ambiguous', 'handover'));
    expect(given()).toHaveLength(1);
    await engine.runs.advanceTo(new Date(MORNING.getTime() + 17 * HOUR), ada);
    expect(await stored(mail)).toMatchObject({ state: 'ambiguous' });
    expect(given().filter(({ messageId }) => messageId.includes(mail._id.toHexString()))).toHaveLength(1);
    expect(await today()).toMatchObject({ attempted: 3, sent: 2 });
  });
});

describe('overdue mail', () => {
  it('is skipped when it is hours late, and the rest of the day continues', async () => {
    const [early, ...others] = await engine.records.sentFrom(ada);
    engine.sending.clock.freeze(new Date(early!.dueAt!.getTime() + 2 * HOUR + 1));
    await engine.runs.send(ada);
    expect(await stored(early!)).toMatchObject({ state: 'failed', reason: 'It could not be sent in time' });
    await engine.runs.advanceTo(new Date(MORNING.getTime() + 17 * HOUR), ada);
    expect(await engine.records.sent({ mailboxId: new Types.ObjectId(ada.id), state: 'sent' })).toHaveLength(
      others.filter(({ dueAt }) => dueAt!.getTime() > early!.dueAt!.getTime()).length,
    );
  });

  it('is skipped after a pause of hours: it is not sent in a burst', async () => {
    const pausing = engine.sending.get(MailboxUpdateService);
    await pausing.pause(ada.workspace, ada.id);
    await engine.runs.advanceTo(new Date(MORNING.getTime() + 8.5 * HOUR), ada);
    await pausing.resume(ada.workspace, ada.id);
    await engine.runs.advanceTo(new Date(MORNING.getTime() + 11 * HOUR), ada);
    const late = { state: 'failed', reason: 'It could not be sent in time' };
    expect((await engine.records.sentFrom(ada)).map(({ state, reason }) => ({ state, reason }))).toEqual([
      late,
      late,
      late,
    ]);
  });

  it('is skipped after its day', async () => {
    engine.sending.clock.freeze(new Date(MORNING.getTime() + 18 * HOUR));
    await engine.runs.send(ada);
    expect(given()).toEqual([]);
    const reasons = (await engine.records.sentFrom(ada)).map(({ state, reason }) => ({ state, reason }));
    const over = { state: 'failed', reason: 'Its day ended before it could be sent' };
    expect(reasons).toEqual([over, over, over]);
  });

  it('is sent one by one when it is less late', async () => {
    const now = new Date(MORNING.getTime() + 6 * HOUR);
    const dueAt = new Date(now.getTime() - HOUR);
    engine.sending.clock.freeze(now);
    const $set = { plannedFor: dueAt, dueAt };
    await engine.records.mails.updateMany({ workspaceId: ada.workspace.workspaceId, mailboxId: ada.id }, { $set });
    for (let run = 0; run < 3; run += 1) await engine.runs.send(ada);
    expect(given()).toHaveLength(1);
    engine.sending.clock.advance(MINUTE - 1);
    await engine.runs.send(ada);
    expect(given()).toHaveLength(1);
    await engine.runs.advanceTo(new Date(now.getTime() + 5 * MINUTE), ada);
    expect(given().filter(({ from }) => from === ada.email)).toHaveLength(3);
  });
});

describe('warmup and a campaign of the same mailbox', () => {
  it('share its daily limit, each within its part', async () => {
    await engine.reset(MORNING);
    const config = { startingVolume: 20, dailyIncrease: 0, targetVolume: 20 };
    const own = await engine.mailboxes.create(config, { dailySendLimit: 10 });
    for (let index = 0; index < 4; index += 1) await engine.mailboxes.create(config);
    await engine.runs.planMorningOf(own);
    const leads = Array.from({ length: 12 }, (_, index) => `lead-${index}@acme.test`);
    await engine.sending.campaign([own.id], leads, { emailIntervalMinutes: 45 });
    for (let hour = 0; hour <= 16; hour += 1) {
      await engine.runs.advanceTo(new Date(MORNING.getTime() + hour * HOUR), own);
      await engine.sending.get(MailboxSenderService).run(payload(own), new AbortController().signal);
    }
    const mails = given().filter(({ from }) => from === own.email);
    const campaign = mails.filter(({ to }) => to.startsWith('lead-'));
    // A share of 6 covers three threads with their answers; no answers arrive here.
    expect({ all: mails.length, campaign: campaign.length }).toEqual({ all: 7, campaign: 4 });
    expect(await engine.records.mailbox(own)).toMatchObject({ totalSent: 4 });
    expect(await engine.sending.leaseOf(own.id)).toMatchObject({ dayUsed: 7, dayWarmup: 3 });
  });

  it('leave nothing to warmup when the limit was used up before a share was reserved', async () => {
    await engine.sending.changeMailbox(ada.id, { dailySendLimit: 2, 'warmup.share': null });
    await engine.sending.campaign([ada.id], ['ann@acme.test', 'eve@acme.test', 'joe@acme.test']);
    await engine.sending.get(MailboxSenderService).run(payload(), new AbortController().signal);
    await engine.runs.advanceTo(new Date(MORNING.getTime() + 25 * HOUR), ada);
    expect(given().filter(({ from }) => from === ada.email)).toHaveLength(2);
    const states = (await engine.records.sent({ mailboxId: new Types.ObjectId(ada.id), day: '2026-11-23' })).map(
      ({ state }) => state,
    );
    expect(states).toEqual(['failed', 'failed', 'failed']);
  });
});

describe('a mailbox with a due answer', () => {
  const opened = async (): Promise<WarmupMailRecord> => {
    const mail = await due();
    await engine.runs.send(ada);
    return stored(mail);
  };
  const answererOf = ({ counterpart }: WarmupMailRecord): WarmMailbox => {
    return { id: counterpart.mailboxId.toHexString(), email: '', workspace: ada.workspace };
  };

  it('answers within its hours', async () => {
    const opening = await opened();
    const _id = await engine.records.insertAnswer(opening, new Date(MORNING.getTime() + 15 * HOUR));
    engine.sending.clock.freeze(new Date(MORNING.getTime() + 15 * HOUR));
    const before = given().length;
    await engine.runs.send(answererOf(opening));
    expect(given()).toHaveLength(before);
    const { dueAt } = await stored({ _id });
    expect(dueAt!.toISOString()).toMatch(/^2026-11-24T(08|09|10):/);
    engine.sending.clock.freeze(dueAt!);
    await engine.runs.send(answererOf(opening));
    expect(await stored({ _id })).toMatchObject({ state: 'sent', day: '2026-11-24' });
  });

  it('answers on the next day when the share of this one is used up', async () => {
    const opening = await opened();
    const answerer = answererOf(opening);
    await engine.sending.changeMailbox(answerer.id, { dailySendLimit: 5 });
    const _id = await engine.records.insertAnswer(opening, engine.sending.clock.now());
    await engine.runs.send(answerer);
    expect((await stored({ _id })).dueAt!.toISOString()).toMatch(/^2026-11-24T/);
  });

  it('does not answer after days', async () => {
    const opening = await opened();
    const _id = await engine.records.insertAnswer(opening, engine.sending.clock.now());
    engine.sending.clock.advance(72 * HOUR + 1);
    await engine.runs.send(answererOf(opening));
    expect(await stored({ _id })).toMatchObject({ state: 'failed', reason: 'It could not be sent in time' });
  });

  it('waits while its warmup is paused and resumes afterwards', async () => {
    const opening = await opened();
    const answerer = answererOf(opening);
    const _id = await engine.records.insertAnswer(opening, engine.sending.clock.now());
    await engine.sending.get(WarmupsService).pause(ada.workspace, answerer.id);
    const before = given().length;
    await engine.runs.send(answerer);
    expect(given()).toHaveLength(before);
    expect(await stored({ _id })).toMatchObject({ state: 'planned', dueAt: engine.sending.clock.in(HOUR) });
    await engine.sending.get(WarmupsService).start(ada.workspace, answerer.id);
    engine.sending.clock.advance(HOUR);
    await engine.runs.send(answerer);
    expect(await stored({ _id })).toMatchObject({ state: 'sent' });
  });
});

describe('the sweep', () => {
  it('enqueues each mailbox with due mail once', async () => {
    const sender = engine.sending.get(WarmupSenderService);
    await due();
    engine.sending.clock.advance(10_000);
    await engine.records.mails.updateMany(
      { workspaceId: bob.workspace.workspaceId, mailboxId: { $ne: new Types.ObjectId(ada.id) } },
      { $set: { dueAt: engine.sending.clock.in(HOUR) } },
    );
    const created = await sender.sweep();
    expect(created + (await sender.sweep())).toBe(created);
    expect(await dueIds()).toEqual([ada.id]);
  });
});

function payload({ id: mailboxId, workspace: { workspaceId } } = ada) {
  return { workspaceId, mailboxId };
}

async function dueIds(): Promise<string[]> {
  const ids: string[] = [];
  for await (const page of engine.sending.get(WarmupMailRepository).listDue(engine.sending.clock.now())) {
    ids.push(...page.map(({ mailboxId }) => mailboxId.toHexString()));
  }
  return ids;
}
