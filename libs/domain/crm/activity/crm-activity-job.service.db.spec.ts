import { CrmError } from '@adapters/crm';
import { systemScope } from '@domain/access';
import { CrmDuePushRecord } from '../automation/schemas/crm-due-push.record';
import { CrmActivityBackfillService } from './crm-activity-backfill.service';
import { ActivityFixture, ADA, newId } from './testing/activity-fixture';

const DAY_MS = 86_400_000;

describe('what happened, told to a CRM', () => {
  let fixture: ActivityFixture;

  beforeAll(async () => {
    fixture = await ActivityFixture.open();
  });
  beforeEach(async () => {
    fixture.fresh();
    await fixture.configure();
  });
  afterAll(() => fixture.close());

  it('is told in the order in which it happened, in batches of what the vendor takes, each once', async () => {
    for (const _nth of [1, 2, 3, 4]) await fixture.happen(ADA);
    await fixture.happen(ADA, 'email.replied');
    await fixture.relay();
    await fixture.relay();
    await fixture.tell();
    await fixture.tell();
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

  it('is nothing that is not wanted, or that was recorded before anything was', async () => {
    await fixture.happen(ADA, 'email.opened');
    await fixture.configure({ since: fixture.clock.in(1_000) });
    await fixture.happen(ADA);
    await fixture.relay();
    expect(await fixture.activities()).toEqual([]);
  });

  it('is not told again when the worker died over it: the CRM may have it', async () => {
    await fixture.happen(ADA);
    await fixture.relay();
    fixture.session.answers.push(() => new Error('the worker died'));
    await expect(fixture.tell()).rejects.toThrow('the worker died');
    expect(await fixture.states()).toEqual(['sending']);
    await fixture.tell();
    expect(fixture.session.batches).toEqual([1]);
    expect(await fixture.activities()).toMatchObject([
      { state: 'unknown', reason: expect.stringContaining('may have') },
    ]);
  });

  it('is not told by a worker that has lost the lane', async () => {
    await fixture.happen(ADA);
    await fixture.relay();
    fixture.holdsLane = false;
    await expect(fixture.tell()).rejects.toThrow('lane lost');
    expect(fixture.session.batches).toEqual([]);
    expect(await fixture.states()).toEqual(['pending']);
  });

  it('waits when the vendor is busy, for then nobody was told', async () => {
    await fixture.happen(ADA);
    await fixture.relay();
    const busy = new CrmError('rate_limited', 'Too many requests', { retryAfterMs: 7_000 });
    fixture.session.answers.push(() => busy);
    await expect(fixture.tell()).rejects.toBe(busy);
    expect(await fixture.activities()).toMatchObject([{ state: 'pending', reason: 'Too many requests' }]);
    await fixture.tell();
    expect(await fixture.activities()).toMatchObject([{ state: 'recorded', reason: null }]);
  });

  it('is given up when the vendor never takes such a thing', async () => {
    await fixture.happen(ADA);
    await fixture.relay();
    fixture.session.answers.push(() => new CrmError('unsupported', 'There are no notes here'));
    await expect(fixture.tell()).rejects.toThrow('There are no notes here');
    expect(await fixture.activities()).toMatchObject([{ state: 'refused', reason: 'There are no notes here' }]);
    expect(await fixture.tell()).toBeUndefined();
  });

  it('keeps of each what the vendor said of it', async () => {
    for (const _nth of [1, 2, 3]) await fixture.happen(ADA);
    await fixture.relay();
    fixture.session.answers.push(([one, two, three]) => [
      { key: one!.key, kind: 'recorded', activityId: 'a1' },
      { key: two!.key, kind: 'refused', reason: 'gone', message: 'There is no such contact' },
      { key: three!.key, kind: 'ambiguous', message: 'The answer was cut off' },
    ]);
    await fixture.tell();
    expect(await fixture.activities()).toMatchObject([
      { state: 'recorded', activityId: 'a1' },
      { state: 'refused', reason: 'There is no such contact' },
      { state: 'unknown', reason: 'The answer was cut off' },
    ]);
  });

  it('is told of the person that was changed last, of several with the address', async () => {
    fixture.session.person('p2', 'ADA@example.com', new Date(2));
    fixture.session.person('p3', ADA, new Date(1));
    jest.spyOn(fixture.session, 'find').mockResolvedValue(fixture.session.people);
    await fixture.happen(ADA);
    await fixture.relay();
    await fixture.tell();
    expect(fixture.session.told).toMatchObject([{ externalId: 'p2' }]);
  });

  it('is told of those who are there, whoever else is not', async () => {
    await fixture.happen('stranger@example.com');
    await fixture.happen(ADA);
    await fixture.relay();
    await fixture.tell();
    expect(await fixture.activities()).toMatchObject([
      { state: 'skipped', reason: 'The CRM has no person with this address' },
      { state: 'recorded' },
    ]);
  });

  it('waits for a person who is to be made, pushes the lead for it, and gives up after six looks', async () => {
    await fixture.configure({ createPeople: true });
    const leadId = await fixture.happen('new@example.com');
    await fixture.relay();
    await fixture.tell();
    const pushes = fixture.model<CrmDuePushRecord>(CrmDuePushRecord);
    expect(await pushes.find({ workspaceId: fixture.workspaceId }).lean()).toMatchObject([{ crmType: 'hubspot' }]);
    expect(String((await pushes.findOne({ workspaceId: fixture.workspaceId }).lean())?.leadId)).toBe(leadId);
    expect(await fixture.states()).toEqual(['pending']);
    for (const _look of [2, 3, 4, 5]) {
      fixture.clock.advance(5 * 60_000);
      await fixture.tell();
    }
    expect(await fixture.activities()).toMatchObject([{ state: 'pending', searches: 5 }]);
    fixture.clock.advance(5 * 60_000);
    await fixture.tell();
    expect(await fixture.states()).toEqual(['skipped']);
  });

  it('is told when the person has been made meanwhile', async () => {
    await fixture.configure({ createPeople: true });
    await fixture.happen('new@example.com');
    await fixture.relay();
    await fixture.tell();
    fixture.session.person('p9', 'new@example.com');
    fixture.clock.advance(5 * 60_000);
    await fixture.tell();
    expect(await fixture.activities()).toMatchObject([{ state: 'recorded', externalId: 'p9' }]);
  });

  it('is not told of somebody who was erased meanwhile, nor is that person made', async () => {
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
    await fixture.tell();
    expect(fixture.session.batches).toEqual([]);
    expect(await fixture.activities()).toMatchObject([{ state: 'skipped', reason: expect.stringContaining('erased') }]);
  });

  it('is not told any more when it was switched off before', async () => {
    await fixture.happen(ADA);
    await fixture.happen(ADA, 'email.replied');
    await fixture.relay();
    await fixture.configure({ activities: ['email.replied'] });
    await fixture.tell();
    expect(await fixture.states()).toEqual(['skipped', 'recorded']);
  });

  it('is given up after seven days without the CRM', async () => {
    await fixture.happen(ADA);
    await fixture.relay();
    fixture.clock.advance(7 * DAY_MS - 60_000);
    await fixture.happen(ADA);
    await fixture.relay();
    fixture.clock.advance(60_000);
    await fixture.tell();
    expect(await fixture.activities()).toMatchObject([
      { state: 'refused', reason: expect.stringContaining('seven days') },
      { state: 'recorded' },
    ]);
  });
});

describe('what happened before', () => {
  let fixture: ActivityFixture;
  const workspace = () => systemScope(fixture.workspaceId.toHexString());

  beforeAll(async () => {
    fixture = await ActivityFixture.open();
  });
  beforeEach(() => fixture.fresh());
  afterAll(() => fixture.close());

  it('is told once it is asked for, and once only', async () => {
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
    await fixture.tell();
    expect(await fixture.states()).toEqual(['recorded']);
    await backfills.start(workspace(), 'hubspot', { from });
    await fixture.tell();
    expect(await fixture.states()).toEqual(['recorded']);
    expect(fixture.session.told).toHaveLength(1);
  });

  it('is gone through in steps that stop anywhere and go on right there', async () => {
    const from = fixture.clock.now().toISOString();
    await fixture.happen(ADA);
    await fixture.configure({ since: fixture.clock.now() });
    const backfills = fixture.get(CrmActivityBackfillService);
    await backfills.start(workspace(), 'hubspot', { from });
    fixture.holdsLane = false;
    await expect(fixture.tell()).rejects.toThrow('lane lost');
    expect(await fixture.activities()).toEqual([]);
    expect(await backfills.isOpen(fixture.workspaceId.toHexString(), 'hubspot')).toBe(true);
    fixture.holdsLane = true;
    await fixture.tell();
    expect(await backfills.isOpen(fixture.workspaceId.toHexString(), 'hubspot')).toBe(false);
    expect(await fixture.states()).toEqual(['recorded']);
  });

  it.each<[string, string, object, string]>([
    ['a CRM that nothing is set for', 'attio', {}, 'NOT_FOUND'],
    ['what is no CRM', 'sugar', {}, 'NOT_FOUND'],
    ['a window that ends before it begins', 'hubspot', { to: '2020-01-01T00:00:00Z' }, 'VALIDATION_ERROR'],
    ['a window in the future', 'hubspot', { from: '2999-01-01T00:00:00Z' }, 'VALIDATION_ERROR'],
  ])('is not told for %s', async (_what, type, given, code) => {
    await fixture.configure();
    const window = { from: '2021-01-01T00:00:00Z', ...given };
    await expect(fixture.get(CrmActivityBackfillService).start(workspace(), type, window)).rejects.toMatchObject({
      code,
    });
  });

  it('is not told where no activity is chosen', async () => {
    await fixture.configure({ activities: [] });
    const asking = fixture
      .get(CrmActivityBackfillService)
      .start(workspace(), 'hubspot', { from: '2021-01-01T00:00:00Z' });
    await expect(asking).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
