import { MailboxFiguresService } from '@domain/mailboxes';
import { CampaignsService } from '@domain/campaigns';
import { Types } from 'mongoose';
import { AnalyticsService } from './analytics.service';
import { StatsRebuildService } from './rebuild/stats-rebuild.service';
import { AnalyticsFixture } from './testing/analytics-fixture';

let fixture: AnalyticsFixture;
let campaignId: string;
let mailboxId: string;

beforeAll(async () => {
  fixture = await AnalyticsFixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.fresh();
  campaignId = await fixture.campaign();
  mailboxId = await fixture.mailbox();
});

const about = () => ({ campaignId, mailboxId });
const timeline = (timezone: string | undefined, from: string, to: string) =>
  fixture.get(AnalyticsService).timeline(fixture.workspace, campaignId, { from, to, ...(timezone && { timezone }) });

/** The days with sends, with their counts. */
async function sentBy(timezone: string, from: string, to: string): Promise<Record<string, number>> {
  const { days } = await timeline(timezone, from, to);
  return Object.fromEntries(days.filter(({ sent }) => sent > 0).map(({ day, sent }) => [day, sent]));
}

describe('the timeline of a campaign', () => {
  it('has the days of every zone, with offsets of half and quarter hours and clock changes', async () => {
    for (const at of ['2026-10-24T18:14:59Z', '2026-10-24T18:15:00Z', '2026-10-24T21:59:59Z', '2026-10-24T22:00:00Z']) {
      await fixture.tell('email.sent', about(), { at });
    }
    for (const at of ['2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z'])
      await fixture.tell('email.sent', about(), { at });
    await fixture.relay();
    const of = (zone: string) => sentBy(zone, '2026-10-20', '2026-10-31');
    expect(await of('UTC')).toEqual({ '2026-10-24': 4, '2026-10-25': 2 });
    expect(await of('Asia/Kathmandu')).toEqual({ '2026-10-24': 1, '2026-10-25': 3, '2026-10-26': 2 });
    // October 25th has 25 hours in this zone.
    expect(await of('Europe/Berlin')).toEqual({ '2026-10-24': 3, '2026-10-25': 2, '2026-10-26': 1 });
    expect(await of('Pacific/Kiritimati')).toEqual({ '2026-10-25': 4, '2026-10-26': 2 });
  });

  it('begins and ends with the requested days', async () => {
    for (const at of ['2026-10-23T21:59:59Z', '2026-10-23T22:00:00Z', '2026-10-24T22:00:00Z']) {
      await fixture.tell('email.sent', about(), { at });
    }
    await fixture.relay();
    const { days, totals } = await timeline('Europe/Berlin', '2026-10-24', '2026-10-24');
    expect(days.map(({ day, sent }) => [day, sent])).toEqual([['2026-10-24', 1]]);
    expect(totals.sent).toBe(1);
  });

  it('counts each lead once, separates machines and auto-replies from people, and uses the campaign’s zone', async () => {
    const at = '2026-10-24T18:15:00Z';
    await fixture.tell('email.opened', about(), { at, firstOfLead: true, count: 2 });
    await fixture.tell('email.opened', about(), { at, firstOfLead: false, count: 5 });
    await fixture.tell('email.auto_replied', about(), { at });
    const ids = { workspaceId: new Types.ObjectId(fixture.workspaceId), campaignId: new Types.ObjectId(campaignId) };
    const sends = fixture.model({ name: 'SendRecord' }).collection;
    const seen = { ...ids, machineOpenedAt: new Date(at), machineClickedAt: new Date('2026-10-24T18:14:59Z') };
    const send = () => ({ leadId: new Types.ObjectId(), stepId: new Types.ObjectId() });
    await sends.insertMany([
      { ...seen, ...send() },
      { ...ids, ...send(), machineOpenedAt: new Date(at) },
    ]);
    await fixture.relay();
    const { timezone, days } = await timeline(undefined, '2026-10-24', '2026-10-25');
    expect(timezone).toBe('Asia/Kathmandu');
    expect(days[0]).toMatchObject({ day: '2026-10-24', opened: 0, machineOpened: 0, machineClicked: 1 });
    const second = { opened: 2, replied: 0, autoReplied: 1, machineOpened: 2, machineClicked: 0 };
    expect(days[1]).toMatchObject({ day: '2026-10-25', ...second });
  });
});

describe('figures of a workspace', () => {
  it('cover the requested days, with whole and partial UTC days', async () => {
    for (const at of ['2026-10-22T18:14:59Z', '2026-10-22T18:15:00Z', '2026-10-24T12:00:00Z', '2026-10-25T18:14:59Z']) {
      await fixture.tell('email.sent', about(), { at, firstOfLead: true });
    }
    await fixture.tell('email.sent', about(), { at: '2026-10-25T18:15:00Z' });
    await fixture.tell('email.positive_reply', about(), { at: '2026-10-24T12:00:00Z', firstOfLead: true });
    await fixture.relay();
    const query = { from: '2026-10-23', to: '2026-10-25', timezone: 'Asia/Kathmandu' };
    const overview = await fixture.get(AnalyticsService).overview(fixture.workspace, query);
    expect(overview.headline).toEqual({ positiveReplied: 1, contacted: 3, positiveReplyRate: 0.3333 });
    expect(overview.totals).toMatchObject({ sent: 3 });
    const page = await fixture.get(AnalyticsService).byMailbox(fixture.workspace, { ...query, limit: 25 });
    expect(page.items).toMatchObject([{ mailboxId, totals: { sent: 3, contacted: 3 } }]);
  });

  it('exclude deleted campaigns and their later events', async () => {
    const at = '2026-10-24T12:00:00Z';
    await fixture.tell('email.sent', about(), { at });
    await fixture.relay();
    const deletedAt = fixture.database.clock.now();
    const campaigns = fixture.model<{ _id: Types.ObjectId }>({ name: 'CampaignRecord' }).collection;
    const erasing = { deletedAt, erasing: true, startedAt: deletedAt };
    await campaigns.updateOne({ _id: new Types.ObjectId(campaignId) }, { $set: erasing });
    const query = { from: '2026-10-24', to: '2026-10-24' };
    const { totals } = await fixture.get(AnalyticsService).overview(fixture.workspace, query);
    expect(totals.sent).toBe(0);
    await fixture.get(CampaignsService).eraseDeleted(new AbortController().signal);
    await fixture.tell('email.unsubscribed', about(), { at, firstOfLead: true });
    await fixture.relay();
    expect(await fixture.days.countDocuments({ workspaceId: fixture.workspaceId })).toBe(0);
  });
});

describe('figures for reports', () => {
  const days = { first: '2026-10-23', last: '2026-10-26', timezone: 'Europe/Berlin' };
  let other: string;

  beforeEach(async () => {
    other = await fixture.campaign('Winter');
    // October 25th has 25 hours in this zone; the last event is on the day after the period.
    for (const at of ['2026-10-22T22:00:00Z', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z', '2026-10-26T23:00:00Z']) {
      await fixture.tell('email.sent', about(), { at, firstOfLead: true });
    }
    await fixture.tell('email.sent', { campaignId: other, mailboxId }, { at: '2026-10-25T12:00:00Z', count: 3 });
    await fixture.relay();
  });

  it('match the overview, by campaign and by day of the zone', async () => {
    const figures = fixture.get(AnalyticsService);
    const campaigns = await figures.figuresOfCampaigns(fixture.workspaceId, days, null);
    expect(new Map(campaigns.map(({ name, figures: { sent } }) => [name, sent]))).toEqual(
      new Map([
        ['Autumn', 3],
        ['Winter', 3],
      ]),
    );
    const byDay = await figures.figuresByDay(fixture.workspaceId, days, [campaignId, other]);
    expect(byDay.map(({ day, figures: { sent, contacted } }) => [day, sent, contacted])).toEqual([
      ['2026-10-23', 1, 1],
      ['2026-10-24', 0, 0],
      ['2026-10-25', 4, 1],
      ['2026-10-26', 1, 1],
    ]);
    const query = { from: days.first, to: days.last, timezone: days.timezone };
    const { totals } = await fixture.get(AnalyticsService).overview(fixture.workspace, query);
    expect(totals.sent).toBe(6);
  });

  it('cover only the requested campaigns', async () => {
    const figures = fixture.get(AnalyticsService);
    const campaigns = await figures.figuresOfCampaigns(fixture.workspaceId, days, [other]);
    expect(campaigns.map(({ id }) => id)).toEqual([other]);
    const byDay = await figures.figuresByDay(fixture.workspaceId, days, [other]);
    expect(byDay.map(({ figures: { sent } }) => sent)).toEqual([0, 0, 3, 0]);
    const ofMailboxes = await figures.figuresOfMailboxes(fixture.workspaceId, days, [mailboxId], [other]);
    expect(ofMailboxes.get(mailboxId)?.sent).toBe(3);
  });

  it('exclude other workspaces', async () => {
    const figures = fixture.get(AnalyticsService);
    await fixture.fresh();
    expect(await figures.figuresOfCampaigns(fixture.workspaceId, days, [campaignId, other])).toEqual([]);
    const byDay = await figures.figuresByDay(fixture.workspaceId, days, [campaignId]);
    expect(byDay.map(({ figures: { sent } }) => sent)).toEqual([0, 0, 0, 0]);
  });
});

describe('a rebuild of the figures', () => {
  const rebuild = (isCheck: boolean) =>
    fixture.get(StatsRebuildService).run(fixture.workspaceId, { campaignId, isCheck });
  const days = () =>
    fixture.days.find({ workspaceId: fixture.workspaceId }, { _id: 0 }).sort({ mailboxId: 1, day: 1 }).lean();

  beforeEach(async () => {
    for (const at of ['2026-01-01T00:00:00Z', '2026-03-31T23:59:59Z', '2026-10-24T12:00:00Z']) {
      await fixture.tell('email.sent', about(), { at, firstOfLead: true, count: 3 });
    }
    await fixture.relay();
  });

  /** Recorded events without their effect on counters. */
  const ofDays = async (isCheck: boolean) =>
    (await rebuild(isCheck)).differences.filter((one) => 'day' in one && 'campaignId' in one);

  it('finds no difference in relayed days and ignores events that are not relayed yet', async () => {
    await fixture.tell('email.sent', about(), { at: '2026-10-24T12:00:00Z' });
    expect(await ofDays(true)).toEqual([]);
  });

  it('restores wrong and missing days to their former figures', async () => {
    const before = await days();
    const { workspaceId } = fixture;
    await fixture.days.deleteMany({ workspaceId, mailboxId });
    await fixture.days.updateOne(
      { workspaceId, mailboxId: null, day: new Date('2026-10-24') },
      { $inc: { 'figures.sent': 7, 'quarters.3.opened': 1 } },
    );
    const differences = await ofDays(true);
    const wrong = { campaignId, mailboxId: null, day: '2026-10-24', figure: 'sent', is: 10, shouldBe: 3 };
    expect(differences).toContainEqual(wrong);
    expect(await ofDays(false)).toHaveLength(differences.length);
    expect(await ofDays(true)).toEqual([]);
    // An excess figure is zero after the rebuild, which equals a missing one.
    const after = JSON.stringify(await days())
      .replace(',"3":{"opened":0}', '')
      .replace('"3":{"opened":0},', '');
    expect(JSON.parse(after)).toEqual(JSON.parse(JSON.stringify(before)));
  });

  it('restores days of mailboxes from events and totals from days; other mail stays counted', async () => {
    const { workspaceId } = fixture;
    const at = new Date('2026-10-24T12:00:00Z');
    const figures = fixture.get(MailboxFiguresService);
    await figures.count({ workspaceId }, mailboxId, { sent: 4, received: 2, failed: 1, bounced: 2, opened: 1 }, at);
    await cameIn(3, at);
    await cameIn(1, new Date('2026-12-31T23:59:00Z'));
    const { differences } = await fixture.get(StatsRebuildService).run(workspaceId, { isCheck: false });
    const mine = differences.filter((one) => !('campaignId' in one));
    expect(mine).toEqual([
      { mailboxId, day: '2026-01-01', figure: 'sent', is: 0, shouldBe: 3 },
      { mailboxId, day: '2026-03-31', figure: 'sent', is: 0, shouldBe: 3 },
      { mailboxId, day: '2026-10-24', figure: 'received', is: 2, shouldBe: 3 },
      { mailboxId, day: '2026-10-24', figure: 'opened', is: 1, shouldBe: 0 },
      { mailboxId, day: '2026-12-31', figure: 'received', is: 0, shouldBe: 1 },
      { mailboxId, total: 'totalSent', is: 4, shouldBe: 10 },
      { mailboxId, total: 'totalReceived', is: 2, shouldBe: 4 },
    ]);
    const again = await fixture.get(StatsRebuildService).run(workspaceId, { isCheck: true });
    expect(again.differences.filter((one) => !('campaignId' in one))).toEqual([]);
  });

  /** Records messages that the mailbox received at a time. */
  async function cameIn(count: number, createdAt: Date): Promise<void> {
    const message = { workspaceId: new Types.ObjectId(fixture.workspaceId), mailboxId: new Types.ObjectId(mailboxId) };
    const many = Array.from({ length: count }, () => ({
      ...message,
      createdAt,
      fingerprint: String(new Types.ObjectId()),
    }));
    await fixture.model({ name: 'MailboxMessageRecord' }).collection.insertMany(many);
  }

  it('keeps days of a mailbox’s earlier zone unchanged', async () => {
    const { workspaceId } = fixture;
    await fixture
      .model<{ _id: Types.ObjectId }>({ name: 'MailboxRecord' })
      .collection.updateOne(
        { _id: new Types.ObjectId(mailboxId) },
        { $set: { timezone: 'Asia/Tokyo', zoneChangedAt: new Date('2026-03-01T00:00:00Z') } },
      );
    const { differences } = await fixture.get(StatsRebuildService).run(workspaceId, { isCheck: true });
    const recorded = differences.filter((one) => 'day' in one && !('campaignId' in one));
    expect(recorded.map((one) => 'day' in one && one.day)).toEqual(['2026-04-01', '2026-10-24']);
  });
});
