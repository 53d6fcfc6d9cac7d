import { newCampaign, readyCampaign } from '../campaigns/campaigns';
import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { Tracked } from '../tracking/tracked';
import { dataOf, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { happened, relayed } from './happened';

interface Timeline {
  timezone: string;
  from: string;
  to: string;
  totals: Record<string, number>;
  days: (Record<string, number> & { day: string })[];
}

const ZERO = {
  contacted: 0,
  sent: 0,
  opened: 0,
  clicked: 0,
  replied: 0,
  positiveReplied: 0,
  bounced: 0,
  unsubscribed: 0,
  autoReplied: 0,
  complained: 0,
  machineOpened: 0,
  machineClicked: 0,
};

describe('GET /v1/analytics/campaigns/:campaignId/timeline', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const get = (id: string, query = '') =>
    platform.api.as(workspace.key).get(`/v1/analytics/campaigns/${id}/timeline${query}`);

  it('shows each day in the campaign’s time zone, empty days too, and their sum', async () => {
    const sendingSchedule = { timezone: 'Asia/Kathmandu', startTime: '09:00', endTime: '17:00', workingDays: [1] };
    const { _id, mailboxes } = await readyCampaign(platform, workspace, { sendingSchedule });
    const [before, after] = ['2026-11-02T18:14:59Z', '2026-11-02T18:15:00Z'];
    await happened(platform, workspace, { campaignId: _id, mailboxId: mailboxes[0]! }, [
      { type: 'email.sent', at: before, count: 2, firstOfLead: true },
      { type: 'email.sent', at: before, firstOfLead: false },
      { type: 'email.opened', at: after, count: 2, firstOfLead: true },
      { type: 'email.opened', at: after, firstOfLead: false },
      { type: 'email.replied', at: after, firstOfLead: true },
      { type: 'email.positive_reply', at: after, firstOfLead: true },
      { type: 'email.bounced', at: after },
      { type: 'email.unsubscribed', at: after, firstOfLead: true },
      { type: 'email.auto_replied', at: after },
    ]);
    await relayed(platform);
    const first = { ...ZERO, contacted: 2, sent: 3 };
    const people = { opened: 2, replied: 1, positiveReplied: 1, bounced: 1, unsubscribed: 1, autoReplied: 1 };
    expect(dataOf(await get(_id, '?from=2026-11-01&to=2026-11-03').expect(200))).toEqual({
      campaignId: _id,
      timezone: 'Asia/Kathmandu',
      from: '2026-11-01',
      to: '2026-11-03',
      totals: { ...first, ...people },
      days: [
        { day: '2026-11-01', ...ZERO },
        { day: '2026-11-02', ...first },
        { day: '2026-11-03', ...ZERO, ...people },
      ],
    });
    const utc = dataOf<Timeline>(await get(_id, '?from=2026-11-01&to=2026-11-03&timezone=utc'));
    expect(utc).toMatchObject({ timezone: 'UTC', days: [ZERO, { sent: 3, opened: 2 }, ZERO] });
  });

  it('counts events that the worker’s relay delivers, people and machines apart', async () => {
    const tracked = await Tracked.on(platform, workspace);
    await platform.tick();
    const [opened, clicked] = [await tracked.sent(), await tracked.sent()];
    await tracked.get(opened.open);
    await tracked.get(opened.open, { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' });
    await tracked.get(clicked.clicks[0]!);
    await tracked.get(clicked.open, { 'User-Agent': 'curl/8.0' });
    await platform.api.post(clicked.unsubscribe).type('form').send('List-Unsubscribe=One-Click').expect(200);
    await tracked.classify();
    platform.clock.advance(2_000);
    await platform.tick();
    await platform.drain();
    const stats = await tracked.figures();
    const { totals } = dataOf<Timeline>(await get(tracked.campaignId));
    expect(totals).toMatchObject({ opened: 2, clicked: 1, unsubscribed: 1 });
    expect(totals['machineOpened']).toBeGreaterThan(0);
    const recorded = Object.fromEntries(Object.entries(totals).filter(([, count]) => count !== 0));
    expect(recorded).toEqual(stats);
  });

  it('covers the last thirty days by default', async () => {
    const { _id } = await newCampaign(platform, workspace);
    platform.clock.freeze(new Date('2026-11-21T18:15:00Z'));
    expect(dataOf(await get(_id, '?timezone=Asia/Kathmandu'))).toMatchObject({ from: '2026-10-24', to: '2026-11-22' });
    platform.clock.reset();
  });

  it('refuses invalid input and names the field', async () => {
    const { _id } = await newCampaign(platform, workspace);
    const cases: [string, string][] = [
      ['?from=2026-11-02&to=2026-11-01', 'to'],
      ['?from=2024-01-01&to=2025-01-01', 'to'],
      ['?from=yesterday', 'from'],
      ['?to=2026-02-30', 'to'],
      ['?timezone=Mars/Base', 'timezone'],
      ['?timezone=%2B01:00', 'timezone'],
      ['?day=2026-11-01', 'day'],
    ];
    for (const [query, field] of cases) {
      const response = await get(_id, query);
      expect({ query, status: response.status }).toEqual({ query, status: 400 });
      expectFormB(response, 400, 'VALIDATION_ERROR', field);
    }
  });

  it('accepts a period of 366 days', async () => {
    const { _id } = await newCampaign(platform, workspace);
    expect(dataOf<Timeline>(await get(_id, '?from=2024-01-01&to=2024-12-31')).days).toHaveLength(366);
  });

  it('answers 404 Form B to an unknown id, a malformed id and another workspace’s campaign', async () => {
    const theirs = await newCampaign(platform, await platform.seed.workspace());
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS, theirs._id]) expectFormB(await get(id), 404, 'NOT_FOUND');
  });
});
