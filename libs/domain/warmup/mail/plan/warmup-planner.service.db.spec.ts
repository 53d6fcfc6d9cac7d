import { WorkspaceRepository } from '@domain/identity';
import { MailboxDeletionService, MailboxRepository } from '@domain/mailboxes';
import { QueuesService } from '@platform/queues';
import { DEEP, testConfig } from '@testing';
import { Types } from 'mongoose';
import { WarmupsService } from '../../config/warmups.service';
import { WarmupDayRecord } from '../../schemas/warmup-day.record';
import { type WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';
import { WarmupRecord } from '../../schemas/warmup.record';
import { type DatabaseSnapshot } from '../testing/database-snapshots';
import { WarmupEngine, type WarmMailbox } from '../testing/warmup-engine';
import { WarmupPoolService } from './warmup-pool.service';

/** Midnight of a Monday. */
const MONDAY = new Date('2026-11-23T00:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CONFIG = { startingVolume: 4, dailyIncrease: 1, targetVolume: 8 };

let engine: WarmupEngine;
let snapshot: DatabaseSnapshot;
/** Creates mailboxes in warmup without a plan. */
const those: WarmMailbox[] = [];

beforeAll(async () => {
  engine = await WarmupEngine.open();
  await engine.reset(MONDAY);
  while (those.length < 5) those.push(await engine.mailboxes.create(CONFIG));
  snapshot = await engine.snapshots.take();
});
afterAll(() => engine.close());
const restore = () => engine.snapshots.restore(snapshot);

const at = (ms: number) => engine.sending.clock.freeze(new Date(MONDAY.getTime() + ms));
const transitions = () => engine.sending.get(WarmupsService);
const planned = async (mailbox: WarmMailbox): Promise<WarmupMailRecord[]> =>
  (await engine.records.sentFrom(mailbox)).filter(({ state }) => state === 'planned');

describe('the plan of a mailbox’s day', () => {
  beforeEach(restore);

  it('is made once, however often it is requested, with a job for the first mail', async () => {
    const [ada] = those as [WarmMailbox];
    // Plans of earlier tests are removed.
    await engine.sending.get(QueuesService).get('warmup-send').obliterate({ force: true });
    await engine.runs.plan();
    const [first] = await planned(ada);
    const id = `warmup-${ada.id}-${first!.dueAt!.getTime()}`;
    expect(await engine.sending.get(QueuesService).get('warmup-send').getJobState(id)).toBe('delayed');
    const before = await engine.records.sent();
    expect(await planned(ada)).toHaveLength(4);
    expect(
      before.every(({ state, position, mailId, _id }) => state === 'planned' && position === 0 && mailId.equals(_id)),
    ).toBe(true);
    await engine.runs.plan();
    expect(await engine.records.sent()).toEqual(before);
    expect(await engine.records.warmup(ada)).toMatchObject({
      plannedDay: '2026-11-23',
      nextAt: new Date(MONDAY.getTime() + DAY),
    });
  });

  it('is made once, even with several concurrent workers', async () => {
    await Promise.all([engine.runs.plan(), engine.runs.plan(), engine.runs.plan()]);
    const threads = await engine.records.threads();
    expect(threads).toHaveLength(20);
    expect(new Set(threads.map(({ mailboxId, ordinal }) => `${mailboxId.toHexString()} ${ordinal}`)).size).toBe(20);
    expect(await engine.records.sent()).toHaveLength(20);
  });

  it('covers the rest of the day when the warmup starts during the day', async () => {
    const [ada] = those as [WarmMailbox];
    await transitions().stop(ada.workspace, ada.id);
    at(13.5 * HOUR);
    await transitions().start(ada.workspace, ada.id);
    await engine.runs.plan();
    const mails = await planned(ada);
    expect(mails).toHaveLength(2);
    expect(mails.every(({ dueAt }) => dueAt! >= engine.sending.clock.now())).toBe(true);
  });

  it('is made again for the rest of the day after a pause, in addition to the sent mails', async () => {
    const [ada] = those as [WarmMailbox];
    await engine.runs.plan();
    const [first] = await planned(ada);
    engine.sending.clock.freeze(first!.dueAt!);
    await engine.runs.send(ada);
    await transitions().pause(ada.workspace, ada.id);
    expect(await planned(ada)).toEqual([]);
    await engine.runs.plan();
    expect(await planned(ada)).toEqual([]);
    await transitions().start(ada.workspace, ada.id);
    await engine.runs.plan();
    const states = (await engine.records.sentFrom(ada)).map(({ state }) => state);
    expect(states.filter((state) => state === 'sent')).toHaveLength(1);
    expect(states.length).toBeGreaterThan(1);
    expect(states.length).toBeLessThanOrEqual(4);
    const ordinals = (await engine.records.threads({ mailboxId: first!.mailboxId })).map(({ ordinal }) => ordinal);
    expect(new Set(ordinals).size).toBe(ordinals.length);
  });

  it('differs after the warmup was stopped and started again', async () => {
    const [ada] = those as [WarmMailbox];
    await engine.runs.plan();
    const before = (await planned(ada)).map(({ dueAt }) => dueAt!.getTime());
    await transitions().stop(ada.workspace, ada.id);
    engine.sending.clock.advance(1_000);
    await transitions().start(ada.workspace, ada.id);
    await engine.runs.plan();
    const after = (await planned(ada)).map(({ dueAt }) => dueAt!.getTime());
    expect(after).toHaveLength(4);
    expect(after).not.toEqual(before);
  });
});

describe('the plans of a small pool', () => {
  beforeEach(() => engine.reset(MONDAY));

  it('contain nothing on a day off, which does not count', async () => {
    at(5 * DAY);
    const config = { ...CONFIG, weekdaysOnly: true };
    const [ada] = [await engine.mailboxes.create(config), await engine.mailboxes.create(config)];
    await engine.runs.advanceTo(new Date(MONDAY.getTime() + 7 * DAY - 1));
    expect(await engine.records.sent()).toEqual([]);
    await engine.runs.advanceTo(new Date(MONDAY.getTime() + 7 * DAY));
    // Each of the two mailboxes begins one thread.
    expect(await planned(ada)).toHaveLength(1);
    expect(await engine.records.warmup(ada)).toMatchObject({ currentDay: 1, plannedDay: '2026-11-30' });
  });

  it('contain equally many threads for each mailbox, in any planning order', async () => {
    for (let index = 0; index < 3; index += 1) await engine.mailboxes.create(CONFIG);
    await engine.runs.plan();
    const begun = new Map<string, number>();
    for (const { mailboxId } of await engine.records.threads()) {
      begun.set(mailboxId.toHexString(), (begun.get(mailboxId.toHexString()) ?? 0) + 1);
    }
    expect([...begun.values()]).toEqual([2, 2, 2]);
  });

  it('take earlier days into account: the same mailbox does not write to the same peer every day', async () => {
    for (let index = 0; index < (DEEP ? 12 : 8); index += 1)
      await engine.mailboxes.create({ startingVolume: 2, dailyIncrease: 0, targetVolume: 2 });
    for (let day = 0; day < (DEEP ? 5 : 4); day += 1) {
      at(day * DAY);
      await engine.runs.plan();
    }
    const threads = await engine.records.threads();
    const days = new Map<string, Set<string>>();
    for (const { mailboxId, counterpart, day } of threads) {
      const pair = [mailboxId.toHexString(), counterpart.mailboxId.toHexString()].toSorted().join(' ');
      days.set(pair, (days.get(pair) ?? new Set()).add(day));
    }
    expect(Math.max(...[...days.values()].map((known) => known.size))).toBeLessThanOrEqual(3);
    const [first] = threads;
    const of = { workspaceId: first!.workspaceId, mailboxId: first!.mailboxId };
    const history = await engine.sending.get(WarmupPoolService).getHistory(of, '2026-11-28');
    const met = threads.flatMap(({ mailboxId, counterpart, day }) => {
      if (mailboxId.equals(of.mailboxId)) return [`${counterpart.mailboxId.toHexString()} ${day}`];
      return counterpart.mailboxId.equals(of.mailboxId) ? [`${mailboxId.toHexString()} ${day}`] : [];
    });
    expect([...history.days.values()].flat()).toHaveLength(new Set(met).size);
  });
});

describe('a mailbox without a peer', () => {
  beforeEach(() => engine.reset(MONDAY));

  it('begins nothing, and gets a plan as soon as a peer exists', async () => {
    const ada = await engine.mailboxes.create(CONFIG);
    await engine.runs.plan();
    expect(await planned(ada)).toEqual([]);
    expect(await engine.records.warmup(ada)).toMatchObject({
      plannedDay: '',
      nextAt: new Date(MONDAY.getTime() + HOUR),
    });
    await engine.mailboxes.create(CONFIG);
    at(HOUR);
    await engine.runs.plan();
    // Each of the two mailboxes begins one thread.
    expect(await planned(ada)).toHaveLength(1);
    expect(await engine.records.warmup(ada)).toMatchObject({ plannedDay: '2026-11-23' });
  });

  it('reports this in its settings until a peer with a common language exists', async () => {
    const ada = await engine.mailboxes.create(CONFIG);
    const hasPeers = async () => (await engine.sending.get(WarmupsService).getSettings(ada.workspace, ada.id)).hasPeers;
    expect(await hasPeers()).toBe(false);
    await engine.mailboxes.create({ ...CONFIG, languages: ['de'] });
    expect(await hasPeers()).toBe(false);
    await engine.switchWorkspace();
    await engine.mailboxes.create(CONFIG, { email: ada.email });
    expect(await hasPeers()).toBe(false);
    const bob = await engine.mailboxes.create(CONFIG);
    expect(await hasPeers()).toBe(true);
    await engine.sending.changeMailbox(bob.id, { status: 'disconnected' });
    expect(await hasPeers()).toBe(false);
  });

  it('does not count the day', async () => {
    const ada = await engine.mailboxes.create(CONFIG);
    for (const hours of [0, 1, 12, 23, 24, 25]) {
      at(hours * HOUR);
      await engine.runs.plan();
    }
    expect(await engine.records.warmup(ada)).toMatchObject({ status: 'in_progress', currentDay: 1 });
  });
});

describe('mailboxes that cannot send', () => {
  beforeEach(restore);

  it('neither send nor receive warmup mail while paused, disconnected or set not to send', async () => {
    const unable = [{ status: 'paused' }, { status: 'disconnected' }, { sendingEnabled: false }];
    const others = those.slice(unable.length);
    for (const [index, fields] of unable.entries()) await engine.sending.changeMailbox(those[index]!.id, fields);
    await engine.runs.plan();
    const mails = await engine.records.sent();
    expect(new Set(mails.map(({ mailboxId }) => mailboxId.toHexString()))).toEqual(new Set(others.map(({ id }) => id)));
    const met = mails.map(({ counterpart }) => counterpart.mailboxId.toHexString());
    expect(new Set(met)).toEqual(new Set(others.map(({ id }) => id)));
    const able = { status: 'active', sendingEnabled: true };
    for (const [index] of unable.entries()) await engine.sending.changeMailbox(those[index]!.id, able);
    at(HOUR);
    await engine.runs.plan();
    for (const [index, fields] of unable.entries())
      expect({ ...fields, planned: (await planned(those[index]!)).length }).toEqual({ ...fields, planned: 4 });
  });

  it('neither receive warmup mail nor get a plan once deleted', async () => {
    const [, , eve] = those as [WarmMailbox, WarmMailbox, WarmMailbox];
    await engine.sending.get(MailboxDeletionService).delete(eve.workspace, eve.id, {});
    await engine.runs.plan();
    const mails = await engine.records.sent();
    expect(
      mails.filter(({ mailboxId, counterpart }) =>
        [mailboxId, counterpart.mailboxId].some((id) => id.toHexString() === eve.id),
      ),
    ).toEqual([]);
    expect(mails).not.toEqual([]);
  });
});

describe('a warmup with failures', () => {
  beforeEach(restore);

  it('is suspended at the end of the day and gets no further plan', async () => {
    const [ada] = those as [WarmMailbox];
    await engine.runs.plan();
    const of = { workspaceId: ada.workspace.workspaceId, mailboxId: ada.id, day: '2026-11-23' };
    await engine.sending.model(WarmupDayRecord).create({ ...of, attempted: 30, sent: 24, bounced: 6, openings: 4 });
    at(DAY);
    await engine.runs.plan();
    expect(await engine.records.warmup(ada)).toMatchObject({
      status: 'suspended',
      nextAt: null,
      suspension: { code: 'bounces' },
    });
    expect(await planned(ada)).toEqual([]);
    const met = (await engine.records.sent({ day: '2026-11-24' })).map(({ counterpart }) =>
      counterpart.mailboxId.toHexString(),
    );
    expect(met.length).toBeGreaterThan(0);
    expect(met).not.toContain(ada.id);
  });

  it('does not prevent the plans of other mailboxes when its own plan fails', async () => {
    const [ada, bob] = those as [WarmMailbox, WarmMailbox];
    const histories = engine.sending.get(WarmupPoolService);
    const { getHistory: of } = histories;
    const spied = jest.spyOn(histories, 'getHistory').mockImplementation((mailbox, date) => {
      if (mailbox.mailboxId.toHexString() === ada.id) throw new Error('no database');
      return of.call(histories, mailbox, date);
    });
    await engine.runs.plan();
    spied.mockRestore();
    expect(await planned(bob)).toHaveLength(4);
    expect(await planned(ada)).toEqual([]);
    at(HOUR);
    await engine.runs.plan();
    expect(await planned(ada)).toHaveLength(4);
  });
});

describe('a pool for each workspace', () => {
  it('has no mail between mailboxes of different workspaces', async () => {
    const { sending } = engine;
    const apart = new WarmupPoolService(
      sending.model(WarmupRecord),
      sending.model(WarmupThreadRecord),
      sending.get(MailboxRepository),
      sending.get(WorkspaceRepository),
      sending.clock,
      testConfig({ WARMUP_POOL: 'workspace' }),
    );
    const pools = sending.get(WarmupPoolService);
    const instead = [
      jest.spyOn(pools, 'createCache').mockImplementation(() => apart.createCache()),
      jest.spyOn(pools, 'learn').mockImplementation((...asked) => apart.learn(...asked)),
      jest.spyOn(pools, 'hasPeersFor').mockImplementation((...asked) => apart.hasPeersFor(...asked)),
    ];
    try {
      await engine.reset(MONDAY);
      for (let index = 0; index < 6; index += 1) {
        if (index === 3) await engine.switchWorkspace();
        await engine.mailboxes.create(CONFIG);
      }
      await engine.runs.plan();
      const mails = await engine.records.sent();
      // Each of the three mailboxes begins one thread with each of the two others.
      expect(mails).toHaveLength(12);
      expect(mails.every(({ workspaceId, counterpart }) => workspaceId.equals(counterpart.workspaceId))).toBe(true);
      await engine.switchWorkspace();
      const alone = await engine.mailboxes.create(CONFIG);
      const find = jest.spyOn(engine.sending.model(WarmupRecord), 'find');
      const { hasPeers } = await engine.sending.get(WarmupsService).getSettings(alone.workspace, alone.id);
      expect(hasPeers).toBe(false);
      // The warmups of other workspaces are not read, which matters in a large installation.
      expect(find.mock.calls.map(([filter]) => filter)).toEqual([
        expect.objectContaining({ workspaceId: new Types.ObjectId(alone.workspace.workspaceId) }),
      ]);
      find.mockRestore();
    } finally {
      for (const spied of instead) spied.mockRestore();
    }
  });
});
