import { activated, type Campaign, newCampaign } from '../campaigns/campaigns';
import { OPEN_ALWAYS } from '../campaigns/insight';
import { acceptedFrom, type Platform, type SeededWorkspace, sharedPlatform, violations } from '../harness';
import { isEventually, sendingRests } from '../harness/sending';
import { connected, type Mailbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';

const HOUR_MS = 3_600_000;
/** Leads of one company; the limit allows one email a day. */
const LEADS = 4;

interface Explanation {
  decision: string;
  reason: string;
  nextEligibleAt: string | null;
}

describe('leads that their campaign’s settings postpone', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailbox: Mailbox;

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
    mailbox = await connected(platform, workspace, { sendGapSeconds: 0, dailySendLimit: 100 });
  });
  afterAll(() => platform.close());

  const api = () => platform.api.as(workspace.key);
  const started = async (settings: object, leads: object[]): Promise<Campaign> => {
    const sequence = [{ subject: 'Your roadmap', body: '<p>First</p>' }];
    const campaign = await newCampaign(platform, workspace, {
      ...OPEN_ALWAYS,
      mailboxes: [mailbox._id],
      sequence,
      ...settings,
    });
    await api().post(`/v1/campaigns/${campaign._id}/leads`).send({ leads }).expect(201);
    await activated(platform, workspace.workspaceId, campaign._id);
    expect(await sendingRests(platform, workspace.workspaceId, 30_000)).toBe(true);
    return campaign;
  };
  const accepted = async () => (await acceptedFrom(new Set([mailbox.email]))).length;
  const leadsOf = async ({ _id }: Campaign) =>
    dataOf<{ _id: string; sentCount: number; dueAt: string | null }[]>(
      await api().get(`/v1/campaigns/${_id}/leads?limit=100`).expect(200),
    );
  const explained = async ({ _id }: Campaign, leadId: string) =>
    dataOf<Explanation>(await api().get(`/v1/campaigns/${_id}/leads/${leadId}/explain`).expect(200));
  const change = ({ _id }: Campaign, settings: object) =>
    api().patch(`/v1/campaigns/${_id}`).send(settings).expect(200);
  const allSent = async () => {
    expect(await isEventually(async () => (await accepted()) >= LEADS)).toBe(true);
    expect(await sendingRests(platform, workspace.workspaceId, 30_000)).toBe(true);
    expect(await accepted()).toBe(LEADS);
    expect(await violations(platform, workspace.workspaceId)).toEqual([]);
  };

  it('to the next day are sent as soon as the limit per domain is raised', async () => {
    const leads = Array.from({ length: LEADS }, (_, at) => ({ email: `lead-${at}@people.test` }));
    const campaign = await started({ domainDailyLimit: 1 }, leads);
    expect(await accepted()).toBe(1);
    const waiting = (await leadsOf(campaign)).filter(({ sentCount }) => sentCount === 0);
    expect(waiting).toHaveLength(LEADS - 1);
    const now = platform.clock.now();
    for (const { _id, dueAt } of waiting) {
      expect(new Date(dueAt ?? 0) > now).toBe(true);
      const explanation = await explained(campaign, _id);
      expect(explanation).toMatchObject({ decision: 'wait', reason: 'domain_day', nextEligibleAt: dueAt });
    }
    await change(campaign, { domainDailyLimit: null });
    await allSent();
  });

  it('to another week are sent as soon as the window in their time zones is widened', async () => {
    // This window opens in three days: it is closed now in all zones of the leads.
    const day = new Date(platform.clock.now().getTime() + 72 * HOUR_MS).getUTCDay() || 7;
    const closed = { timezone: 'UTC', startTime: '11:00', endTime: '13:00', workingDays: [day] };
    const leads = Array.from({ length: LEADS }, (_, at) => ({
      email: `lead-${at}@company-${at}.test`,
      timezone: at % 2 ? 'Europe/Berlin' : 'America/New_York',
    }));
    const campaign = await started({ useLeadTimezone: true, sendingSchedule: closed }, leads);
    expect(await accepted()).toBe(0);
    const [first] = await leadsOf(campaign);
    expect(new Date(first?.dueAt ?? 0) > platform.clock.in(24 * HOUR_MS)).toBe(true);
    expect(await explained(campaign, first!._id)).toMatchObject({
      decision: 'wait',
      reason: 'campaign_window',
      nextEligibleAt: first!.dueAt,
    });
    await change(campaign, { sendingSchedule: { ...OPEN_ALWAYS.sendingSchedule } });
    await allSent();
  });
});
