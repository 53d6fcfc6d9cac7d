import { acceptedFrom, type Platform, type SeededWorkspace, sharedPlatform, violations } from '../harness';
import { isEventually, sendingRests } from '../harness/sending';
import { connected, type Mailbox } from '../mailboxes/sandbox';
import { dataOf, ISO } from '../workspaces/people';
import { activated, type Campaign, newCampaign, readCampaign } from './campaigns';
import { OPEN_ALWAYS } from './insight';

/** The smallest number of sends that bounce protection evaluates. */
const LEADS = 20;
/** The server rejects these recipients as unknown: 2 bounces of 20 are too many (docs/users/mailboxes.md). */
const GONE = 2;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WORDS = `${GONE} of ${LEADS} emails of this campaign in 28 days bounced because the address does not exist (10.0 %)`;

interface Stop {
  code: string;
  message: string;
  at: string;
}

interface Diagnostics {
  status: string;
  problem: Stop | null;
  constraint: { reason: string } | null;
  nextEligibleAt: string | null;
  mailboxes: { available: boolean; reason: string | null; message: string; detail: string | null }[];
}

describe('a campaign with too many bounces', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailbox: Mailbox;
  let campaign: Campaign;
  let pausedAt: Date;
  let resumedAt: Date;

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
    workspace = await platform.seed.workspace();
    mailbox = await connected(platform, workspace, { sendGapSeconds: 0, dailySendLimit: 100 });
    campaign = await newCampaign(platform, workspace, {
      ...OPEN_ALWAYS,
      mailboxes: [mailbox._id],
      sequence: [
        { subject: 'Your roadmap', body: '<p>First</p>' },
        { subject: '', body: '<p>Second</p>', delay: { value: 1, unit: 'days' } },
      ],
    });
    const leads = Array.from({ length: LEADS }, (_, at) => ({
      email: `${at % 10 === 5 ? 'rcpt-550.' : ''}lead-${at}@${campaign._id}.people.test`,
    }));
    await api().post(`/v1/campaigns/${campaign._id}/leads`).send({ leads }).expect(201);
    await activated(platform, workspace.workspaceId, campaign._id);
    await rests();
  });
  afterAll(() => platform.close());

  const api = () => platform.api.as(workspace.key);
  const rests = async () => {
    if (!(await sendingRests(platform, workspace.workspaceId, 30_000))) throw new Error('Sending does not become idle');
  };
  const read = async () => dataOf<Campaign>(await readCampaign(platform, workspace.key, campaign._id));
  const of = async <T>(path: string) => dataOf<T>(await api().get(`/v1/${path}`));
  const problem = async () => (await of<{ problem: Stop | null }>(`campaigns/${campaign._id}/settings`)).problem;
  const stop = async () =>
    (await of<{ sendingStopped: Stop | null }>(`mailboxes/${mailbox._id}/settings`)).sendingStopped;
  const diagnosed = () => of<Diagnostics>(`campaigns/${campaign._id}/diagnostics`);
  const eventsOf = async (type: string) => of<{ data: Record<string, unknown> }[]>(`events?type=${type}`);
  const accepted = async () => (await acceptedFrom(new Set([mailbox.email]))).length;
  /** Advances the clock and lets the mailboxes do what is due. */
  const after = async (milliseconds: number): Promise<void> => {
    platform.clock.advance(milliseconds);
    await platform.tick();
    await rests();
    await platform.drain();
    await rests();
  };

  it('is paused automatically, and each part of the API shows the reason', async () => {
    expect((await read()).status).toBe('active');
    const isPaused = await isEventually(async () => {
      await platform.tick();
      await platform.drain();
      return (await read()).status === 'paused' && (await stop()) !== null;
    });
    expect(isPaused).toBe(true);
    pausedAt = platform.clock.now();
    expect(await read()).toMatchObject({ stats: { sent: LEADS - GONE, bounced: GONE }, completedAt: null });
    const why = { code: 'bounce_rate', message: expect.stringContaining(WORDS) as string, at: ISO };
    expect(await problem()).toEqual(why);
    expect(await diagnosed()).toMatchObject({
      status: 'paused',
      problem: why,
      nextEligibleAt: null,
    });
    const [lead] = await of<{ _id: string }[]>(`campaigns/${campaign._id}/leads?search=lead-0@`);
    const explained = await of<object>(`campaigns/${campaign._id}/leads/${lead!._id}/explain`);
    expect(explained).toMatchObject({ decision: 'wait', nextEligibleAt: null });
    expect(JSON.stringify(explained)).toContain('campaign_paused');
    const [paused, ...more] = await eventsOf('campaign.paused');
    expect(more).toEqual([]);
    expect(paused?.data).toMatchObject({
      code: 'bounce_rate',
      evidence: { sends: LEADS, bounces: GONE, rate: GONE / LEADS },
    });
  });

  it('stops the mailbox too, and stores the evidence', async () => {
    expect(await stop()).toMatchObject({ code: 'BOUNCE_RATE', message: expect.stringContaining('10.0 %') as string });
    const [only] = (await diagnosed()).mailboxes;
    expect(only).toMatchObject({
      available: false,
      reason: 'mailbox_paused_by_sending',
      message: expect.stringContaining('too many emails bounced') as string,
    });
    expect(only?.detail).toContain('10.0 %');
    const stops = await eventsOf('mailbox.sending_stopped');
    const kinds = stops.map(({ data }) => data['of']);
    expect(kinds.filter((kind) => kind === 'mailbox')).toHaveLength(1);
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  it('stays paused, however much time passes', async () => {
    const before = await accepted();
    for (const wait of [HOUR_MS, 3 * DAY_MS]) await after(wait);
    expect((await read()).status).toBe('paused');
    expect(await problem()).toMatchObject({ code: 'bounce_rate' });
    expect((await diagnosed()).nextEligibleAt).toBeNull();
    expect(await accepted()).toBe(before);
    expect(await eventsOf('campaign.paused')).toHaveLength(1);
  });

  it('resumes when a person resumes the campaign and the mailbox, and earlier bounces do not stop it again', async () => {
    resumedAt = platform.clock.now();
    await api().post(`/v1/campaigns/${campaign._id}/resume`).expect(200);
    expect(await problem()).toBeNull();
    await after(HOUR_MS);
    // A person has to resume the mailbox too.
    expect(await diagnosed()).toMatchObject({ status: 'active', constraint: { reason: 'mailbox_paused_by_sending' } });
    expect((await read()).stats['sent']).toBe(LEADS - GONE);
    await api().post(`/v1/mailboxes/${mailbox._id}/resume`).expect(200);
    expect(await stop()).toBeNull();
    await rests();
    await after(DAY_MS);
    const { status, stats, leadCounts } = await read();
    const why = (await diagnosed()).mailboxes.map(({ reason, detail }) => ({ reason, detail }));
    expect({ status, why, sent: stats['sent'], bounced: stats['bounced'], leadCounts }).toEqual({
      status: 'completed',
      why: [{ reason: 'campaign_completed', detail: null }],
      sent: 2 * (LEADS - GONE),
      bounced: GONE,
      leadCounts: { total: LEADS, active: 0 },
    });
    expect(await eventsOf('campaign.paused')).toHaveLength(1);
  });

  it('violates no invariant: nothing is submitted between the stop and the resumption', async () => {
    const forbidden = { what: 'the stop', at: pausedAt, until: resumedAt, forbids: () => true };
    const { workspaceId } = workspace;
    expect(await violations(platform, workspaceId, { settled: true, acts: [forbidden] })).toEqual([]);
  });
});
