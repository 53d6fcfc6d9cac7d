import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { dataOf, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { type WarmupConfig } from './warmups';

const DEFAULTS = {
  startingVolume: 10,
  dailyIncrease: 1,
  targetVolume: 25,
  replyRates: { inbox: { min: 30, max: 45 }, promotions: { min: 15, max: 25 }, spam: 100 },
};

let platform: Platform;
let workspace: SeededWorkspace;
let mailboxId: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  workspace = await platform.seed.workspace();
});
beforeEach(async () => {
  mailboxId = (await seededMailbox(platform, workspace.workspaceId))._id;
});
afterAll(() => platform.close());

const api = (key = workspace.key) => platform.api.as(key);
const get = (id = mailboxId, key = workspace.key) => api(key).get(`/v1/warmup/config/${id}`);
const patch = (body: object, id = mailboxId, key = workspace.key) =>
  api(key).patch(`/v1/warmup/config/${id}`).send(body);
const settings = async () => dataOf<Record<string, unknown>>(await api().get(`/v1/warmup/${mailboxId}/settings`));
const updates = async () => dataOf<object[]>(await api().get(`/v1/audit?action=warmup.updated&targetId=${mailboxId}`));
const shownByMailbox = async () =>
  dataOf<{ warmup: Record<string, unknown> }>(await api().get(`/v1/mailboxes/${mailboxId}`)).warmup;

describe('GET /v1/warmup/config/:mailboxId', () => {
  it('answers exactly the documented fields for a mailbox without warmup', async () => {
    expect((await get().expect(200)).body).toEqual({
      success: true,
      data: {
        mailboxId,
        provider: 'custom',
        enabled: false,
        status: 'not_started',
        currentDay: 0,
        currentVolume: 0,
        config: DEFAULTS,
        defaults: DEFAULTS,
      },
    });
  });

  it('answers the same 404 Form B to an unknown, a malformed and another workspace’s id', async () => {
    const other = await platform.seed.workspace();
    const theirs = await seededMailbox(platform, other.workspaceId);
    for (const id of [UNKNOWN_ID, theirs._id, ...MALFORMED_IDS]) {
      const response = await get(id);
      expectFormB(response, 404, 'NOT_FOUND');
      expect(response.text).toContain('Mailbox not found');
    }
  });

  it('requires a key, and accepts a read-only one', async () => {
    expectFormA(await platform.api.get(`/v1/warmup/config/${mailboxId}`), 401);
    await get(mailboxId, await platform.seed.workspaceKey(workspace.workspaceId, ['read'])).expect(200);
  });
});

describe('PATCH /v1/warmup/config/:mailboxId', () => {
  it('changes the given fields and leaves the rest, defaults included', async () => {
    const growth = { startingVolume: 5, dailyIncrease: 3, targetVolume: 40 };
    const first = dataOf<WarmupConfig>(await patch(growth).expect(200));
    expect(first).toMatchObject({ config: { ...DEFAULTS, ...growth }, defaults: DEFAULTS, status: 'not_started' });
    const replyRates = { inbox: { max: 60 }, spam: 90 };
    const second = dataOf<WarmupConfig>(await patch({ replyRates }).expect(200));
    expect(second.config).toEqual({
      ...growth,
      replyRates: { inbox: { min: 30, max: 60 }, promotions: { min: 15, max: 25 }, spam: 90 },
    });
    expect(dataOf(await get())).toEqual(second);
    expect((await shownByMailbox())['config']).toEqual(growth);
  });

  it('changes hours, languages and budget, which the settings show', async () => {
    expect(await settings()).toEqual({
      mailboxId,
      weekdaysOnly: false,
      languages: ['en'],
      timezone: 'UTC',
      followsMailboxTimezone: true,
      windowStart: '08:00',
      windowEnd: '19:00',
      budgetShare: 60,
      mostEmailsPerDay: 18,
      mostThreadsPerDay: 10,
      hasPeers: false,
      textSource: 'library',
      startedAt: null,
      completedAt: null,
      slowdown: null,
      suspension: null,
    });
    const more = {
      weekdaysOnly: true,
      languages: ['de', 'en'],
      timezone: 'Europe/Berlin',
      windowStart: '09:00',
      windowEnd: '17:30',
      budgetShare: 80,
      textSource: 'model',
    };
    await patch(more).expect(200);
    const changed = { ...more, followsMailboxTimezone: false, mostEmailsPerDay: 24, mostThreadsPerDay: 13 };
    expect(await settings()).toMatchObject(changed);
    await patch({ timezone: null }).expect(200);
    expect(await settings()).toMatchObject({ timezone: 'UTC', followsMailboxTimezone: true });
  });

  it('writes one audit entry per change, field by field, and none when nothing changes', async () => {
    await patch({ targetVolume: 30, weekdaysOnly: true }).expect(200);
    await patch({ targetVolume: 30 }).expect(200);
    await patch({}).expect(200);
    expect(await updates()).toEqual([
      expect.objectContaining({
        target: { type: 'mailbox', id: mailboxId },
        changes: { targetVolume: { from: 25, to: 30 }, weekdaysOnly: { from: false, to: true } },
      }),
    ]);
  });

  it('refuses invalid input with VALIDATION_ERROR, names the field and changes nothing', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ startingVolume: 0 }, 'startingVolume'],
      [{ startingVolume: 1.5 }, 'startingVolume'],
      [{ startingVolume: 26 }, 'startingVolume'],
      [{ targetVolume: 9 }, 'startingVolume'],
      [{ targetVolume: 201 }, 'targetVolume'],
      [{ dailyIncrease: 0 }, 'dailyIncrease'],
      [{ dailyIncrease: 51 }, 'dailyIncrease'],
      [{ dailyIncrease: '1' }, 'dailyIncrease'],
      [{ replyRates: 50 }, 'replyRates'],
      [{ replyRates: { spam: 101 } }, 'replyRates.spam'],
      [{ replyRates: { inbox: { min: -1 } } }, 'replyRates.inbox.min'],
      [{ replyRates: { inbox: { min: 46 } } }, 'replyRates.inbox.min'],
      [{ replyRates: { promotions: { min: 30, max: 20 } } }, 'replyRates.promotions.min'],
      [{ replyRates: { promotions: { mean: 20 } } }, 'replyRates.promotions.mean'],
      [{ languages: [] }, 'languages'],
      [{ languages: ['en', 'en'] }, 'languages'],
      [{ languages: ['tlh'] }, 'languages'],
      [{ timezone: 'UTC+1' }, 'timezone'],
      [{ windowStart: '8:00' }, 'windowStart'],
      [{ windowStart: '18:01' }, 'windowEnd'],
      [{ windowEnd: '07:00' }, 'windowEnd'],
      [{ weekdaysOnly: 'yes' }, 'weekdaysOnly'],
      [{ budgetShare: 0 }, 'budgetShare'],
      [{ budgetShare: 101 }, 'budgetShare'],
      [{ textSource: 'human' }, 'textSource'],
      [{ startingVolume: null }, 'startingVolume'],
      [{ status: 'in_progress' }, 'status'],
      [{ currentDay: 9 }, 'currentDay'],
      [{ enabled: true }, 'enabled'],
      [{ workspaceId: UNKNOWN_ID }, 'workspaceId'],
    ];
    for (const [body, field] of cases) expectFormB(await patch(body), 400, 'VALIDATION_ERROR', field);
    expect(dataOf<WarmupConfig>(await get()).config).toEqual(DEFAULTS);
  });

  it('names every invalid field', async () => {
    const body = { startingVolume: 30, replyRates: { inbox: { min: 50 } }, windowEnd: '08:30' };
    expectFormB(await patch(body), 400, 'VALIDATION_ERROR', 'startingVolume', 'replyRates.inbox.min', 'windowEnd');
  });

  it('accepts values at the limits', async () => {
    await patch({ startingVolume: 1, dailyIncrease: 1, targetVolume: 1, budgetShare: 1 }).expect(200);
    await patch({ startingVolume: 200, dailyIncrease: 50, targetVolume: 200, budgetShare: 100 }).expect(200);
    await patch({ replyRates: { inbox: { min: 0, max: 0 }, promotions: { min: 100, max: 100 }, spam: 0 } }).expect(200);
    await patch({ windowStart: '18:00' }).expect(200);
  });

  it('keeps both of two parallel changes', async () => {
    await Promise.all([patch({ targetVolume: 50 }).expect(200), patch({ dailyIncrease: 4 }).expect(200)]);
    expect(dataOf<WarmupConfig>(await get()).config).toEqual({ ...DEFAULTS, targetVolume: 50, dailyIncrease: 4 });
  });

  it('accepts a member, rejects a read-only key, and answers 404 Form B to an unknown id', async () => {
    const member = await newMember(platform, workspace);
    const { workspaceId } = workspace;
    await platform.api.as(member.key).in(workspaceId).patch(`/v1/warmup/config/${mailboxId}`).send({}).expect(200);
    expectFormA(await patch({}, mailboxId, await platform.seed.workspaceKey(workspaceId, ['read'])), 403, 'permission');
    expectFormB(await patch({}, UNKNOWN_ID), 404, 'NOT_FOUND');
    expect(await updates()).toEqual([]);
  });

  it('raises the volume of a running warmup by a day’s increase at most, and lowers it at once', async () => {
    await api().patch(`/v1/mailboxes/${mailboxId}`).send({ dailySendLimit: 200 }).expect(200);
    await api().post(`/v1/warmup/${mailboxId}/start`).expect(200);
    const raised = dataOf<WarmupConfig>(await patch({ startingVolume: 30, targetVolume: 60 }).expect(200));
    expect(raised).toMatchObject({ currentDay: 1, currentVolume: 11 });
    expect((await settings())['slowdown']).toEqual({ reason: 'settings', ceiling: 11 });
    const lowered = dataOf<WarmupConfig>(await patch({ startingVolume: 4, targetVolume: 4 }).expect(200));
    expect(lowered.currentVolume).toBe(4);
    expect(await shownByMailbox()).toMatchObject({ currentVolume: 4, config: { targetVolume: 4 } });
  });
});
