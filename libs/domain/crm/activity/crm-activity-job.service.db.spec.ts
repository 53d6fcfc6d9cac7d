import { CrmError } from '@adapters/crm';
import { systemScope } from '@domain/access';
import { CrmDuePushRecord } from '../automation/schemas/crm-due-push.record';
import { CrmActivityBackfillService } from './crm-activity-backfill.service';
import { ActivityFixture, ADA, newId } from './testing/activity-fixture';

const DAY_MS = 86_400_000;

describe('activities of a CRM', () => {
  let fixture: ActivityFixture;

  beforeAll(async () => {
    fixture = await ActivityFixture.open();
  });
  beforeEach(async () => {
    fixture.fresh();
    await fixture.configure();
  });
  afterAll(() => fixture.close());

  it('are posted once each, in the order of events, in batches of the vendor’s size', async () => {
    for (const _nth of [1, 2, 3, 4]) await fixture.happen(ADA);
    await fixture.happen(ADA, 'email.replied');
    await fixture.relay();
    await fixture.relay();
    await fixture.runActivities();
    await fixture.runActivities();
    expect(fixture.session.batches).toEqual([3, 2]);
    expect(fixture.session.told.map(({ title }) => title.split(':')[0])).toEqual([
      ...Array<string>(4).fill('Email sent'),
      'Reply received',
    ]);
    const told = await fixture.activities();
    expect(told.map(({ state }) => state)).toEqual(Array(5).fill('recorded'));
    expect(told[0]).toMatchObject({
      externalId: 'p1',
      activityId: `activity-${told[0]?._id.toHexString()}`,
      reason: null,
    });
  });

  it('exclude events of other types and events before the subscription', async () => {
    await fixture.happen(ADA, 'email.opened');
    await fixture.configure({ since: fixture.clock.in(1_000) });
    await fixture.happen(ADA);
    await fixture.relay();
    expect(await fixture.activities()).toEqual([]);
  });

  it('are not posted again after a worker crash, because the CRM may have them', async () => {
    await fixture.happen(ADA);
    await fixture.relay();
    fixture.session.answers.push(() => new Error('the worker died'));
    await expect(fixture.runActivities()).rejects.toThrow('the worker died');
    expect(await fixture.states()).toEqual(['sending']);
    await fixture.runActivities();
    expect(fixture.session.batches).toEqual([1]);
    expect(await fixture.activities()).toMatchObject([
      { state: 'unknown', reason: expect.stringContaining('may have') },
    ]);
  });

  it('are not posted by a worker that lost the partition lease', async () => {
    await fixture.happen(ADA);
    await fixture.relay();
    fixture.holdsLease = false;
    await expect(fixture.runActivities()).rejects.toThrow('lease lost');
    expect(fixture.session.batches).toEqual([]);
    expect(await fixture.states()).toEqual(['pending']);
  });

  it('wait when the vendor is busy, because no activity was stored', async () => {
    await fixture.happen(ADA);
    await fixture.relay();
    const busy = new CrmError('rate_limited', 'Too many requests', { retryAfterMs: 7_000 });
    fixture.session.answers.push(() => busy);
    await expect(fixture.runActivities()).rejects.toBe(busy);
    expect(await fixture.activities()).toMatchObject([{ state: 'pending', reason: 'Too many requests' }]);
    await fixture.runActivities();
    expect(await fixture.activities()).toMatchObject([{ state: 'recorded', reason: null }]);
  });

  it('are given up when the vendor does not support them', async () => {
    await fixture.happen(ADA);
    await fixture.relay();
    fixture.session.answers.push(() => new CrmError('unsupported', 'There are no notes here'));
    await expect(fixture.runActivities()).rejects.toThrow('There are no notes here');
    expect(await fixture.activities()).toMatchObject([{ state: 'refused', reason: 'There are no notes here' }]);
    expect(await fixture.runActivities()).toBeUndefined();
  });

  it('keep the vendor’s result for each activity', async () => {
    for (const _nth of [1, 2, 3]) await fixture.happen(ADA);
    await fixture.relay();
    fixture.session.answers.push(([one, two, three]) => [
      { key: one!.key, kind: 'recorded', activityId: 'a1' },
      { key: two!.key, kind: 'refused', reason: 'gone', message: 'There is no such contact' },
      { key: three!.key, kind: 'ambiguous', message: 'The answer was cut off' },
    ]);
    await fixture.runActivities();
    expect(await fixture.activities()).toMatchObject([
      { state: 'recorded', activityId: 'a1' },
      { state: 'refused', reason: 'There is no such contact' },
      { state: 'unknown', reason: 'The answer was cut off' },
    ]);
  });

  it('go to the person that changed last when several have the address', async () => {
    fixture.session.person('p2', 'ADA@example.com', new Date(2));
    fixture.session.person('p3', ADA, new Date(1));
    jest.spyOn(fixture.session, 'find').mockResolvedValue(fixture.session.people);
    await fixture.happen(ADA);
    await fixture.relay();
    await fixture.runActivities();
    expect(fixture.session.told).toMatchObject([{ externalId: 'p2' }]);
  });

  it('are posted for existing people even when others are missing', async () => {
    await fixture.happen('stranger@example.com');
    await fixture.happen(ADA);
    await fixture.relay();
    await fixture.runActivities();
    expect(await fixture.activities()).toMatchObject([
      { state: 'skipped', reason: 'The CRM has no person with this address' },
      { state: 'recorded' },
    ]);
  });

  it('wait for a missing person, push the lead, and are given up after six attempts', async () => {
    await fixture.configure({ createPeople: true });
    const leadId = await fixture.happen('new@example.com');
    await fixture.relay();
    await fixture.runActivities();
    const pushes = fixture.model<CrmDuePushRecord>(CrmDuePushRecord);
    expect(await pushes.find({ workspaceId: fixture.workspaceId }).lean()).toMatchObject([{ crmType: 'hubspot' }]);
    expect(String((await pushes.findOne({ workspaceId: fixture.workspaceId }).lean())?.leadId)).toBe(leadId);
    expect(await fixture.states()).toEqual(['pending']);
    for (const _look of [2, 3, 4, 5]) {
      fixture.clock.advance(5 * 60_000);
      await fixture.runActivities();
    }
    expect(await fixture.activities()).toMatchObject([{ state: 'pending', searches: 5 }]);
    fixture.clock.advance(5 * 60_000);
    await fixture.runActivities();
    expect(await fixture.states()).toEqual(['skipped']);
  });

  it('are posted once the person exists', async () => {
    await fixture.configure({ createPeople: true });
    await fixture.happen('new@example.com');
    await fixture.relay();
    await fixture.runActivities();
    fixture.session.person('p9', 'new@example.com');
    fixture.clock.advance(5 * 60_000);
    await fixture.runActivities();
    expect(await fixture.activities()).toMatchObject([{ state: 'recorded', externalId: 'p9' }]);
  });

  it('are not posted for a person who was erased meanwhile, and that person is not created', async () => {
    await fixture.configure({ createPeople: true });
    await fixture.happen(ADA);
    await fixture.relay();
    await fixture
      .events()
      .updateMany(
        { workspaceId: fixture.workspaceId },
        { $set: { 'data.email': 'lead@erased.invalid' } },
        { timestamps: false },
      );
    await fixture.runActivities();
    expect(fixture.session.batches).toEqual([]);
    expect(await fixture.activities()).toMatchObject([{ state: 'skipped', reason: expect.stringContaining('erased') }]);
  });

  it('are not posted after they were disabled', async () => {
    await fixture.happen(ADA);
    await fixture.happen(ADA, 'email.replied');
    await fixture.relay();
    await fixture.configure({ activities: ['email.replied'] });
    await fixture.runActivities();
    expect(await fixture.states()).toEqual(['skipped', 'recorded']);
  });

  it('are given up after seven days without the CRM', async () => {
    await fixture.happen(ADA);
    await fixture.relay();
    fixture.clock.advance(7 * DAY_MS - 60_000);
    await fixture.happen(ADA);
    await fixture.relay();
    fixture.clock.advance(60_000);
    await fixture.runActivities();
    expect(await fixture.activities()).toMatchObject([
      { state: 'refused', reason: expect.stringContaining('seven days') },
      { state: 'recorded' },
    ]);
  });
});

describe('a backfill of activities', () => {
  let fixture: ActivityFixture;
  const workspace = () => systemScope(fixture.workspaceId.toHexString());

  beforeAll(async () => {
    fixture = await ActivityFixture.open();
  });
  beforeEach(() => fixture.fresh());
  afterAll(() => fixture.close());

  it('posts earlier events on request, once only', async () => {
    const campaignId = newId();
    const from = fixture.clock.now().toISOString();
    await fixture.happen(ADA, 'email.sent', { campaignId: campaignId.toHexString() });
    await fixture.happen(ADA, 'email.sent', { campaignId: newId().toHexString() });
    await fixture.happen(ADA, 'email.opened', { campaignId: campaignId.toHexString() });
    await fixture.relay();
    await fixture.configure({ since: fixture.clock.now(), campaignIds: [campaignId] });
    const backfills = fixture.get(CrmActivityBackfillService);
    expect(await backfills.start(workspace(), 'hubspot', { from })).toMatchObject({ made: 0, completedAt: null });
    await expect(backfills.start(workspace(), 'hubspot', { from })).rejects.toMatchObject({ code: 'CONFLICT' });
    await fixture.runActivities();
    expect(await fixture.states()).toEqual(['recorded']);
    await backfills.start(workspace(), 'hubspot', { from });
    await fixture.runActivities();
    expect(await fixture.states()).toEqual(['recorded']);
    expect(fixture.session.told).toHaveLength(1);
  });

  it('runs in steps that can stop anywhere and resume there', async () => {
    const from = fixture.clock.now().toISOString();
    await fixture.happen(ADA);
    await fixture.configure({ since: fixture.clock.now() });
    const backfills = fixture.get(CrmActivityBackfillService);
    await backfills.start(workspace(), 'hubspot', { from });
    fixture.holdsLease = false;
    await expect(fixture.runActivities()).rejects.toThrow('lease lost');
    expect(await fixture.activities()).toEqual([]);
    expect(await backfills.isOpen(fixture.workspaceId.toHexString(), 'hubspot')).toBe(true);
    fixture.holdsLease = true;
    await fixture.runActivities();
    expect(await backfills.isOpen(fixture.workspaceId.toHexString(), 'hubspot')).toBe(false);
    expect(await fixture.states()).toEqual(['recorded']);
  });

  it.each<[string, string, object, string]>([
    ['a CRM that nothing is set for', 'attio', {}, 'NOT_FOUND'],
    ['what is no CRM', 'sugar', {}, 'NOT_FOUND'],
    ['a window that ends before it begins', 'hubspot', { to: '2020-01-01T00:00:00Z' }, 'VALIDATION_ERROR'],
    ['a window in the future', 'hubspot', { from: '2999-01-01T00:00:00Z' }, 'VALIDATION_ERROR'],
  ])('is refused for %s', async (_what, type, given, code) => {
    await fixture.configure();
    const window = { from: '2021-01-01T00:00:00Z', ...given };
    await expect(fixture.get(CrmActivityBackfillService).start(workspace(), type, window)).rejects.toMatchObject({
      code,
    });
  });

  it('is refused when no activity is selected', async () => {
    await fixture.configure({ activities: [] });
    const asking = fixture
      .get(CrmActivityBackfillService)
      .start(workspace(), 'hubspot', { from: '2021-01-01T00:00:00Z' });
    await expect(asking).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
