import { randomUUID } from 'node:crypto';
import { eventually, mailSandbox } from '@testing';
import { activated, type Campaign, newCampaign, readCampaign } from '../campaigns/campaigns';
import {
  acceptedFrom,
  type AcceptedMail,
  type Platform,
  type SeededWorkspace,
  startPlatform,
  violations,
} from '../harness';
import { type Conversation, type ConversationDetail } from '../inbox/inboxes';
import { connected, type Mailbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';

const DAY_MS = 86_400_000;
const ALWAYS = { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] };

interface Lead {
  email: string;
  status: string;
  stopReason: string | null;
}

interface Reply {
  _id: string;
  status: string;
  messageId: string;
}

describe('an answer to a campaign, and what a person writes back, on the sandbox', () => {
  const prospect = `reply-positive.${randomUUID()}@prospects.test`;
  const silent = `silent.${randomUUID()}@people.test`;
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailbox: Mailbox;
  let campaign: Campaign;
  let conversation: ConversationDetail;

  beforeAll(async () => {
    platform = await startPlatform({ worker: true });
    workspace = await platform.seed.workspace();
    mailbox = await connected(platform, workspace, { displayName: 'Grace', sendGapSeconds: 0, dailySendLimit: 100 });
    await platform.listen();
    campaign = await newCampaign(platform, workspace, {
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
    await api().post(`/v1/campaigns/${campaign._id}/leads`).send({ leads }).expect(201);
    await activated(platform, workspace.workspaceId, campaign._id);
  });
  afterAll(() => platform.close());

  const api = () => platform.api.as(workspace.key);
  const leadOf = async (email: string) =>
    dataOf<Lead[]>(await api().get(`/v1/campaigns/${campaign._id}/leads?limit=10`)).find(
      (lead) => lead.email === email,
    );
  const given = async (to: string): Promise<AcceptedMail[]> =>
    (await acceptedFrom(new Set([mailbox.email]))).filter((mail) => mail.to.join() === to);
  // IMAP tells whole seconds: what comes back within one has no order.
  const kinds = ({ messages }: ConversationDetail) => messages.map(({ kind }) => kind).toSorted();
  const headersOf = async ({ queueId }: AcceptedMail) => {
    const response = await fetch(`${mailSandbox().webUrl}/api/messages/${queueId}`);
    const { headers } = (await response.json()) as { headers: { name: string; value: string }[] };
    return (name: string) => headers.find((one) => one.name.toLowerCase() === name)?.value;
  };

  it('stops the lead as soon as it comes in, by itself', async () => {
    await eventually('the lead is stopped', async () => (await leadOf(prospect))?.stopReason === 'replied');
    const [listed] = dataOf<Conversation[]>(await api().get('/v1/inbox'));
    expect(listed).toMatchObject({ email: prospect, campaignId: campaign._id, unread: true });
    conversation = dataOf<ConversationDetail>(await api().get(`/v1/inbox/${listed!._id}`));
    expect(kinds(conversation)).toEqual(['campaign', 'reply']);
  });

  it('is written back to once, in the thread', async () => {
    const path = `/v1/inbox/${conversation._id}`;
    const { _id, messageId } = dataOf<Reply>(
      await api().post(`${path}/reply`).send({ body: '<p>Tuesday?</p>' }).expect(202),
    );
    await eventually('the reply is sent', async () => {
      const { status } = dataOf<Reply>(await api().get(`${path}/replies/${_id}`));
      return status === 'sent';
    });
    const [first, second, ...more] = await given(prospect);
    expect(more).toEqual([]);
    expect(second).toMatchObject({ messageId, subject: expect.stringMatching(/^Re: /) as string });
    const header = await headersOf(second!);
    const answer = conversation.messages.find(({ kind }) => kind === 'reply')?.['messageId'] as string;
    expect(header('in-reply-to')).toBe(answer);
    expect(header('references')?.split(/\s+/)).toEqual([first!.messageId, answer]);
    expect(header('list-unsubscribe')).toBeUndefined();
    const detail = dataOf<ConversationDetail>(await api().get(path));
    expect(kinds(detail)).toEqual(['campaign', 'manual', 'reply']);
  });

  it('leaves the others of the campaign alone, and the lead is written nothing more', async () => {
    platform.clock.advance(2 * DAY_MS);
    await platform.tick();
    await eventually('the campaign is completed', async () => {
      await platform.tick();
      return dataOf<Campaign>(await readCampaign(platform, workspace.key, campaign._id)).status === 'completed';
    });
    expect(await given(silent)).toHaveLength(2);
    expect(await given(prospect)).toHaveLength(2);
    const { stats } = dataOf<Campaign>(await readCampaign(platform, workspace.key, campaign._id));
    expect(stats).toMatchObject({ sent: 3, replied: 1 });
    const { totalSent } = dataOf<Mailbox>(await api().get(`/v1/mailboxes/${mailbox._id}`));
    expect(totalSent).toBe(4);
  });

  it('breaks no invariant', async () => {
    expect(await violations(platform, workspace.workspaceId, { settled: true })).toEqual([]);
  });
});
