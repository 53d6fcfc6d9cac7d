import { HookRegistry } from '@platform/hooks';
import { addListener } from '@testing';
import { DnsModule } from '@adapters/dns';
import { AnalyticsService } from '@domain/analytics';
import { CreditsService } from '@domain/credits';
import { Types } from 'mongoose';
import { AnalyticsFixture } from '../../analytics/testing';
import { ReportsModule } from '../reports.module';
import { ATTENTION_SOURCES } from './attention/attention-source';
import { ReportRendererService } from './rendering/report-renderer.service';
import { ReportContentService } from './report-content.service';
import { type ReportFacts } from './report-facts';
import { type ReportPeriod, type ReportScope } from './report-shape';

const WEEK: ReportPeriod = { frequency: 'weekly', first: '2026-11-09', last: '2026-11-15', timezone: 'Asia/Kathmandu' };
const NOW = new Date('2026-11-16T02:00:00Z');
/** The first and the last moment of the week in that zone, and their neighbours. */
const EDGES = ['2026-11-08T18:14:59Z', '2026-11-08T18:15:00Z', '2026-11-15T18:14:59Z', '2026-11-15T18:15:00Z'] as const;

let fixture: AnalyticsFixture;
let facts: ReportFacts;

beforeAll(async () => {
  fixture = await AnalyticsFixture.open({ imports: [DnsModule, ReportsModule] });
  const press = fixture.get(ReportRendererService);
  const print = press.render.bind(press);
  jest.spyOn(press, 'render').mockImplementation((given) => {
    facts = given;
    return print(given);
  });
});
afterAll(() => fixture.close());
beforeEach(() => fixture.fresh());

const scope = (campaignIds: string[] = []): ReportScope => ({
  workspaceId: fixture.workspaceId,
  reportType: campaignIds.length > 0 ? 'campaign' : 'workspace',
  campaignIds,
});
const render = (of = scope(), period = WEEK) =>
  fixture.get(ReportContentService).render(of, period, { name: 'Ada' }, NOW);

async function insert(collection: string, record: Record<string, unknown>): Promise<void> {
  const workspaceId = new Types.ObjectId(fixture.workspaceId);
  await fixture.model({ name: collection }).collection.insertOne({ workspaceId, ...record });
}

async function change(collection: string, id: string, fields: Record<string, unknown>): Promise<void> {
  const model = fixture.model<{ _id: Types.ObjectId }>({ name: collection });
  await model.collection.updateOne({ _id: new Types.ObjectId(id) }, { $set: fields });
}

describe('the figures of a report', () => {
  it('equal those of the overview for its days, and for the days before', async () => {
    const [campaignId, mailboxId] = [await fixture.campaign(), await fixture.mailbox()];
    for (const at of EDGES) await fixture.tell('email.sent', { campaignId, mailboxId }, { at, firstOfLead: true });
    const on = { at: '2026-11-12T10:00:00Z', firstOfLead: true };
    for (const type of ['email.opened', 'email.clicked', 'email.replied', 'email.positive_reply'] as const) {
      await fixture.tell(type, { campaignId, mailboxId }, on);
    }
    await fixture.tell('email.bounced', { campaignId, mailboxId }, { at: '2026-11-12T10:00:00Z', count: 2 });
    await fixture.relay();
    const { text } = await render();
    const analytics = fixture.get(AnalyticsService);
    const requested = { timezone: WEEK.timezone, from: WEEK.first, to: WEEK.last };
    expect(facts.figures).toEqual((await analytics.overview(fixture.workspace, requested)).totals);
    const earlier = { timezone: WEEK.timezone, from: '2026-11-02', to: '2026-11-08' };
    expect(facts.before).toEqual((await analytics.overview(fixture.workspace, earlier)).totals);
    expect(facts.figures).toMatchObject({ sent: 2, contacted: 2, opened: 1, positiveReplied: 1, bounced: 2 });
    expect(facts.days.map(({ figures }) => figures.sent)).toEqual([1, 0, 0, 0, 0, 0, 1]);
    expect(facts.mailboxes.shown).toMatchObject([{ sent: 2, replied: 1, bounced: 2 }]);
    expect(text).toContain('1 positive reply, +1');
  });

  it('of one day show the two weeks that end with it', async () => {
    const campaignId = await fixture.campaign();
    await fixture.tell('email.sent', { campaignId }, { at: '2026-11-03T10:00:00Z' });
    await fixture.relay();
    await render(scope(), { ...WEEK, frequency: 'daily', first: '2026-11-15', last: '2026-11-15' });
    expect(facts.days).toHaveLength(14);
    expect(facts.days.find(({ day }) => day === '2026-11-03')?.figures.sent).toBe(1);
    expect(facts.figures.sent).toBe(0);
  });

  it('of some campaigns exclude the others, their mailboxes and the workspace’s own items', async () => {
    const [mine, other] = [await fixture.campaign('Mine'), await fixture.campaign('Other')];
    const [sender, stranger] = [await fixture.mailbox(), await fixture.mailbox()];
    await change('CampaignRecord', mine, { mailboxes: [new Types.ObjectId(sender)] });
    await change('MailboxRecord', stranger, { status: 'disconnected' });
    for (const campaignId of [mine, other]) {
      await fixture.tell('email.sent', { campaignId, mailboxId: sender }, { at: '2026-11-12T10:00:00Z' });
    }
    await fixture.relay();
    await insert('WebhookRecord', { name: 'CRM', status: 'inactive', disabledReason: 'failing', createdAt: NOW });
    await render(scope([mine, String(new Types.ObjectId()), 'malformed']));
    expect(facts).toMatchObject({ about: ['Mine'], figures: { sent: 1 }, mailboxes: { total: 1 } });
    expect(facts.mailboxes.shown).toMatchObject([{ sent: 1 }]);
    expect(facts.attention.items).toEqual([]);
  });

  it('contain no data of other workspaces', async () => {
    const campaignId = await fixture.campaign('Theirs');
    await fixture.mailbox();
    await fixture.tell('email.sent', { campaignId }, { at: '2026-11-12T10:00:00Z' });
    await fixture.relay();
    await fixture.fresh();
    for (const requested of [scope(), scope([campaignId])]) {
      const { html } = await render(requested);
      expect(facts).toMatchObject({
        about: [],
        figures: { sent: 0 },
        mailboxes: { total: 0 },
        campaigns: { shown: [] },
      });
      expect(html).not.toContain('Theirs');
    }
  });
});

describe('attention items', () => {
  const sentences = () => facts.attention.items.map(({ sentence }) => sentence);

  it('are found in every source', async () => {
    const [disconnected, stopped, listed] = [await fixture.mailbox(), await fixture.mailbox(), await fixture.mailbox()];
    await change('MailboxRecord', disconnected, { status: 'disconnected' });
    const stop = { code: 'BOUNCE_RATE', message: 'too many', at: NOW };
    await insert('MailboxLeaseRecord', { _id: new Types.ObjectId(stopped), stopped: stop, slots: [] });
    const listing = { zone: 'zen.test', subject: '192.0.2.1', weight: 1 };
    await insert('MailboxBlacklistStatusRecord', {
      _id: new Types.ObjectId(listed),
      listings: [listing],
      testedAt: NOW,
    });
    await change('MailboxRecord', listed, {
      'setup.domain': 'acme.test',
      'setup.spf': 'fail',
      'warmup.status': 'suspended',
    });
    const paused = await fixture.campaign('Paused');
    const problem = { code: 'bounce_rate', message: '9 of 40 came back', at: NOW };
    await change('CampaignRecord', paused, { status: 'paused', problem });
    const idle = await fixture.campaign('Idle');
    await change('CampaignRecord', idle, { startedAt: new Date('2026-11-01T00:00:00Z') });
    await insert('ConversationRecord', { tracked: true, unread: true, label: 'positive' });
    await insert('WebhookRecord', { name: 'CRM', status: 'inactive', disabledReason: 'gone', createdAt: NOW });
    await insert('WebhookRecord', { name: 'Off', status: 'inactive', disabledReason: 'person', createdAt: NOW });
    const credits = fixture.get(CreditsService);
    fixture.database.clock.freeze(new Date('2026-11-12T00:00:00Z'));
    await credits.grant(fixture.workspace, { amount: 100, reason: 'a gift' });
    await credits.charge(fixture.workspace, { amount: 70, reason: 'agents', operation: 'spent' });
    const source = { attention: () => Promise.resolve([{ severity: 'info', sentence: 'From elsewhere.' } as const]) };
    addListener(fixture.get(HookRegistry), ATTENTION_SOURCES, source);
    await render();
    const address = (id: string) => `${id}@senders.test`;
    expect(sentences()).toEqual([
      'Campaign “Paused” was paused for too many bounces: 9 of 40 came back.',
      `1 mailbox is disconnected: ${address(disconnected)}.`,
      `1 mailbox was stopped until a person resumes it: ${address(stopped)}.`,
      `1 mailbox is on a blacklist: ${address(listed)}.`,
      '1 positive reply waits to be read.',
      '1 domain fails its DNS checks: acme.test (SPF).',
      `1 warmup was suspended: ${address(listed)}.`,
      '1 webhook was switched off because its deliveries failed: CRM.',
      '30 credits are left; 70 were used in this period.',
      '1 active campaign sent nothing: “Idle”.',
      'From elsewhere.',
    ]);
  });
});

describe('a large workspace', () => {
  it('is summed up in a number of queries that does not grow with its campaigns', async () => {
    const workspaceId = new Types.ObjectId(fixture.workspaceId);
    const campaigns = Array.from({ length: 1_000 }, (_, index) => ({
      _id: new Types.ObjectId(),
      workspaceId,
      name: `Campaign ${index}`,
      status: 'active',
      deletedAt: null,
      startedAt: null,
    }));
    await fixture.model({ name: 'CampaignRecord' }).collection.insertMany(campaigns);
    const day = new Date('2026-11-12T00:00:00Z');
    const figures = { sent: 3, contacted: 2 };
    const days = campaigns.map(({ _id }) => ({
      workspaceId,
      campaignId: _id,
      mailboxId: null,
      day,
      figures,
      quarters: { 40: figures },
    }));
    await fixture.days.collection.insertMany(days);
    const aggregate = jest.spyOn(fixture.days, 'aggregate');
    const { html } = await render();
    expect(facts.figures).toMatchObject({ sent: 3_000, contacted: 2_000 });
    expect(facts.days.reduce((sum, one) => sum + one.figures.sent, 0)).toBe(3_000);
    expect(facts.campaigns.remaining).toMatchObject({ count: 990, figures: { sent: 2_970 } });
    expect(aggregate.mock.calls.length).toBeLessThanOrEqual(3);
    expect(html).toContain('990 others');
    aggregate.mockRestore();
  });
});
