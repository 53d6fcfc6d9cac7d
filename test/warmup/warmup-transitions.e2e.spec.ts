import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { dataOf, newMember, UNKNOWN_ID } from '../workspaces/people';
import { planned, type Side, type WarmupConfig, warmupModel } from './warmups';

let platform: Platform;
let workspace: SeededWorkspace;
let mine: Side;
let other: Side;

beforeAll(async () => {
  platform = await sharedPlatform();
  workspace = await platform.seed.workspace();
});
beforeEach(async () => {
  const { workspaceId } = workspace;
  mine = { workspaceId, mailboxId: (await seededMailbox(platform, workspaceId))._id };
  other = { workspaceId, mailboxId: (await seededMailbox(platform, workspaceId))._id };
});
afterEach(() => platform.clock.reset());
afterAll(() => platform.close());

const post = (act: string, id = mine.mailboxId, key = workspace.key) =>
  platform.api.as(key).post(`/v1/warmup/${id}/${act}`);
const get = async () =>
  dataOf<WarmupConfig>(await platform.api.as(workspace.key).get(`/v1/warmup/config/${mine.mailboxId}`));
const shownByMailbox = async () =>
  dataOf<{ warmup: WarmupConfig }>(await platform.api.as(workspace.key).get(`/v1/mailboxes/${mine.mailboxId}`)).warmup;
const settings = async () =>
  dataOf<Record<string, unknown>>(await platform.api.as(workspace.key).get(`/v1/warmup/${mine.mailboxId}/settings`));
const warmups = () => warmupModel(platform, 'WarmupRecord');
const stored = () => warmups().findOne({ workspaceId: mine.workspaceId, _id: mine.mailboxId }).lean().orFail();
const store = (fields: object) =>
  warmups().updateOne({ workspaceId: mine.workspaceId, _id: mine.mailboxId }, { $set: fields });
/** Audit actions of the mailbox, newest first. */
const audited = async () => {
  const entries = await platform.api.as(workspace.key).get(`/v1/audit?targetId=${mine.mailboxId}`);
  return dataOf<{ action: string }[]>(entries).map(({ action }) => action);
};

/** Planned threads and mails: their number, and their positions in the threads. */
async function plans() {
  const { workspaceId } = mine;
  const mailboxId = { $in: [mine.mailboxId, other.mailboxId] };
  const mails = await warmupModel(platform, 'WarmupMailRecord')
    .find({ workspaceId, mailboxId, state: 'planned' })
    .lean();
  const threads = await warmupModel(platform, 'WarmupThreadRecord').countDocuments({ workspaceId, mailboxId });
  return { threads, positions: mails.map(({ position }) => position).toSorted((a, b) => a - b) };
}

describe('POST /v1/warmup/:mailboxId/start', () => {
  it('begins with the first day and its volume, and updates mailbox and worker', async () => {
    platform.clock.freeze(new Date('2026-11-21T09:00:00Z'));
    const started = dataOf<WarmupConfig>(await post('start').expect(200));
    const state = { enabled: true, status: 'in_progress', currentDay: 1, currentVolume: 10 };
    expect(started).toMatchObject(state);
    expect(await get()).toEqual(started);
    expect(await shownByMailbox()).toMatchObject(state);
    expect(await settings()).toMatchObject({ startedAt: '2026-11-21T09:00:00.000Z', completedAt: null });
    const now = new Date('2026-11-21T09:00:00Z');
    expect(await stored()).toMatchObject({ startedOn: '2026-11-21', judgedFrom: '2026-11-21', nextAt: now });
    expect(await audited()).toContain('warmup.started');
  });

  it('resumes a paused warmup at its day', async () => {
    await post('start').expect(200);
    await store({ currentDay: 7, currentVolume: 10, daysAtVolume: 2 });
    await post('pause').expect(200);
    const going = dataOf<WarmupConfig>(await post('start').expect(200));
    expect(going).toMatchObject({ enabled: true, status: 'in_progress', currentDay: 7, currentVolume: 10 });
    expect((await stored()).daysAtVolume).toBe(2);
  });

  it('resumes a paused warmup with a changed limit', async () => {
    await post('start').expect(200);
    await post('pause').expect(200);
    const mailbox = `/v1/mailboxes/${mine.mailboxId}`;
    await platform.api.as(workspace.key).patch(mailbox).send({ dailySendLimit: 10 }).expect(200);
    expect(dataOf(await post('start').expect(200))).toMatchObject({ currentDay: 1, currentVolume: 3 });
  });

  it('completes a warmup again that was completed before its pause', async () => {
    await post('start').expect(200);
    await store({ status: 'completed', completedAt: new Date(), currentDay: 40 });
    await post('pause').expect(200);
    expect(dataOf(await post('start').expect(200))).toMatchObject({ status: 'completed', currentDay: 40 });
  });

  it('resumes a suspended warmup at half the volume, without counting earlier findings', async () => {
    platform.clock.freeze(new Date('2026-11-21T09:00:00Z'));
    await post('start').expect(200);
    const suspension = { code: 'bounces', message: 'Two of twenty bounced', at: new Date() };
    await store({ status: 'suspended', suspension, currentDay: 7, currentVolume: 10, daysAtVolume: 3 });
    expect(await settings()).toMatchObject({ suspension: { code: 'bounces', message: 'Two of twenty bounced' } });
    expect(dataOf(await post('start').expect(200))).toMatchObject({
      status: 'in_progress',
      currentDay: 7,
      currentVolume: 5,
    });
    expect(await settings()).toMatchObject({ suspension: null, slowdown: { reason: 'suspension', ceiling: 5 } });
    expect(await stored()).toMatchObject({ daysAtVolume: 0, judgedFrom: '2026-11-22' });
  });

  it('is refused if the mailbox’s limit leaves no email for it', async () => {
    const mailbox = `/v1/mailboxes/${mine.mailboxId}`;
    await platform.api.as(workspace.key).patch(mailbox).send({ dailySendLimit: 1 }).expect(200);
    const refused = await post('start');
    expectFormB(refused, 409, 'CONFLICT');
    expect(refused.text).toContain('dailySendLimit');
    expect(await get()).toMatchObject({ status: 'not_started' });
  });

  it('applies a changed limit of the mailbox to a running warmup', async () => {
    const mailbox = `/v1/mailboxes/${mine.mailboxId}`;
    await post('start').expect(200);
    await platform.api.as(workspace.key).patch(mailbox).send({ dailySendLimit: 10 }).expect(200);
    expect((await get()).currentVolume).toBe(3);
    expect((await shownByMailbox()).currentVolume).toBe(3);
  });
});

describe('POST /v1/warmup/:mailboxId/pause', () => {
  it('cancels threads that have not begun, keeps the answers, and stops sending', async () => {
    await post('start').expect(200);
    await planned(platform, mine, other);
    await planned(platform, mine, other);
    await planned(platform, mine, other, 1);
    await planned(platform, other, mine);
    expect(await plans()).toEqual({ threads: 4, positions: [0, 0, 0, 1] });
    const paused = dataOf<WarmupConfig>(await post('pause').expect(200));
    expect(paused).toMatchObject({ enabled: false, status: 'paused', currentDay: 1, currentVolume: 10 });
    expect(await shownByMailbox()).toMatchObject({ enabled: false, status: 'paused' });
    expect(await plans()).toEqual({ threads: 2, positions: [0, 1] });
    expect(await stored()).toMatchObject({ nextAt: null, plannedDay: '' });
    expect(await audited()).toContain('warmup.paused');
  });
});

describe('POST /v1/warmup/:mailboxId/stop', () => {
  it('cancels everything planned, and the next start begins at day one with the same settings', async () => {
    await platform.api.as(workspace.key).patch(`/v1/warmup/config/${mine.mailboxId}`).send({ targetVolume: 30 });
    await post('start').expect(200);
    await store({ currentDay: 9, slowdown: { reason: 'spam', ceiling: 2, days: 1 }, completedAt: new Date() });
    await planned(platform, mine, other);
    await planned(platform, mine, other, 1);
    const stopped = dataOf<WarmupConfig>(await post('stop').expect(200));
    expect(stopped).toMatchObject({ enabled: false, status: 'not_started', currentDay: 0, currentVolume: 0 });
    expect(stopped.config).toMatchObject({ targetVolume: 30 });
    expect((await plans()).positions).toEqual([]);
    expect(await settings()).toMatchObject({ startedAt: null, completedAt: null, slowdown: null });
    expect(dataOf(await post('start').expect(200))).toMatchObject({
      status: 'in_progress',
      currentDay: 1,
      currentVolume: 10,
    });
    const actions = (await audited()).filter((action) => action.startsWith('warmup.'));
    expect(actions).toEqual(['warmup.started', 'warmup.stopped', 'warmup.started', 'warmup.updated']);
  });
});

describe('a transition that the status does not allow', () => {
  it.each([
    ['not_started', 'pause'],
    ['not_started', 'stop'],
    ['in_progress', 'start'],
    ['paused', 'pause'],
    ['completed', 'start'],
    ['suspended', 'pause'],
  ])('answers 409 in the state %s to %s, and names the state', async (status, act) => {
    await post('start').expect(200);
    await store({ status });
    const refused = await post(act);
    expectFormB(refused, 409, 'CONFLICT');
    expect(refused.text).toContain(`The warmup of this mailbox is ${status}; only`);
    expect(await get()).toMatchObject({ status });
  });

  it('is accepted once for two parallel starts', async () => {
    const statuses = (await Promise.all([post('start'), post('start')])).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
    const actions = await audited();
    expect(actions.filter((action) => action === 'warmup.started')).toHaveLength(1);
  });
});

describe('start, pause and stop', () => {
  it('accept a member, reject a read-only key, and answer 404 Form B to an unknown id', async () => {
    const member = await newMember(platform, workspace);
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    for (const act of ['start', 'pause', 'stop']) {
      expectFormA(await post(act, mine.mailboxId, readOnly), 403, 'permission');
      expectFormB(await post(act, UNKNOWN_ID), 404, 'NOT_FOUND');
    }
    await platform.api.as(member.key).in(mine.workspaceId).post(`/v1/warmup/${mine.mailboxId}/start`).expect(200);
  });
});
