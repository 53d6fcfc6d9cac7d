import { randomUUID } from 'node:crypto';
import { eventually, mailSandbox } from '@testing';
import { type api, type Outreach } from '@outreach/client';
import { activated } from '../campaigns/campaigns';
import {
  acceptedFrom,
  type AcceptedMail,
  createClient,
  type Platform,
  type SeededWorkspace,
  sharedPlatform,
  violations,
} from '../harness';
import { connected, type Mailbox } from '../mailboxes/sandbox';

const DAY_MS = 86_400_000;
const ALWAYS = { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] };

describe('a reply to a campaign and a person’s answer, on the sandbox', () => {
  const prospect = `reply-positive.${randomUUID()}@prospects.test`;
  const silent = `silent.${randomUUID()}@people.test`;
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailbox: Mailbox;
  let outreach: Outreach;
  let campaign: api.CampaignsCreateAnswer['data'];
  let conversation: api.ConversationDetailResponse;

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
    workspace = await platform.seed.workspace();
    mailbox = await connected(platform, workspace, { displayName: 'Grace', sendGapSeconds: 0, dailySendLimit: 100 });
    await platform.listen();
    outreach = createClient(platform, workspace.key);
    campaign = await outreach.campaigns.create({
      name: 'Autumn',
      mailboxes: [mailbox._id],
      emailIntervalMinutes: 0,
      sendingSchedule: ALWAYS,
      stopOnReply: true,
      sequence: [
        { subject: 'Your roadmap', body: '<p>First</p>' },
        { subject: '', body: '<p>Second</p>', delay: { value: 1, unit: 'days' } },
      ],
    });
    const leads = [prospect, silent].map((email) => ({ email }));
    await outreach.campaigns.leads.create(campaign._id, { leads });
    await activated(platform, workspace.workspaceId, campaign._id);
  });
  afterAll(() => platform.close());

  const leadOf = async (email: string) =>
    (await outreach.campaigns.leads.list(campaign._id)).data.find((lead) => lead.email === email);
  const given = async (to: string): Promise<AcceptedMail[]> =>
    (await acceptedFrom(new Set([mailbox.email]))).filter((mail) => mail.to.join() === to);
  // IMAP has a resolution of one second: replies within one second have no order.
  const kinds = ({ messages }: api.ConversationDetailResponse) => messages.map(({ kind }) => kind).toSorted();
  const headersOf = async ({ queueId }: AcceptedMail) => {
    const response = await fetch(`${mailSandbox().webUrl}/api/messages/${queueId}`);
    const { headers } = (await response.json()) as { headers: { name: string; value: string }[] };
    return (name: string) => headers.find((one) => one.name.toLowerCase() === name)?.value;
  };

  it('stops the lead as soon as it arrives', async () => {
    await eventually('the lead is stopped', async () => (await leadOf(prospect))?.stopReason === 'replied');
    const [listed] = (await outreach.inbox.list()).data;
    expect(listed).toMatchObject({ email: prospect, campaignId: campaign._id, unread: true });
    conversation = await outreach.inbox.get(listed!._id);
    expect(kinds(conversation)).toEqual(['campaign', 'reply']);
  });

  it('is answered once, in the thread', async () => {
    const { _id, messageId } = await outreach.inbox.reply(conversation._id, { body: '<p>Tuesday?</p>' });
    await eventually(
      'the reply is sent',
      async () => (await outreach.inbox.replies.get(conversation._id, _id)).status === 'sent',
    );
    const [first, second, ...more] = await given(prospect);
    expect(more).toEqual([]);
    expect(second).toMatchObject({ messageId, subject: expect.stringMatching(/^Re: /) as string });
    const header = await headersOf(second!);
    const answer = conversation.messages.find(({ kind }) => kind === 'reply')?.messageId;
    expect(header('in-reply-to')).toBe(answer);
    expect(header('references')?.split(/\s+/)).toEqual([first!.messageId, answer]);
    expect(header('list-unsubscribe')).toBeUndefined();
    expect(kinds(await outreach.inbox.get(conversation._id))).toEqual(['campaign', 'manual', 'reply']);
  });

  it('leaves the other leads of the campaign unchanged, and the lead gets no further email', async () => {
    platform.clock.advance(2 * DAY_MS);
    await platform.tick();
    await eventually('the campaign is completed', async () => {
      await platform.tick();
      return (await outreach.campaigns.get(campaign._id)).status === 'completed';
    });
    expect(await given(silent)).toHaveLength(2);
    expect(await given(prospect)).toHaveLength(2);
    const { stats } = await outreach.campaigns.get(campaign._id);
    expect(stats).toMatchObject({ sent: 3, replied: 1 });
    const { totalSent } = await outreach.mailboxes.get(mailbox._id);
    expect(totalSent).toBe(4);
  });

  it('violates no invariant', async () => {
    expect(await violations(platform, workspace.workspaceId, { settled: true })).toEqual([]);
  });
});
