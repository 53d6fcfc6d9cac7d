import { CampaignCountersService } from '@domain/campaigns';
import { LeadActionsService } from '@domain/leads';
import { MailboxUpdateService } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { TrackingUrlsService } from '@domain/tracking';
import { refused, unreadable } from '../testing/scripted-server';
import { MailAttemptService } from './mail-attempt.service';
import { HOUR, MINUTE, NOON, SendingFixture } from '../testing/sending-fixture';

let engine: SendingFixture;
let mailboxId: string;

beforeAll(async () => {
  engine = await SendingFixture.open();
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.fresh();
  mailboxId = await engine.mailbox();
});

const later = (milliseconds: number) => new Date(engine.clock.now().getTime() + milliseconds);
const retryAt = async (email: string) => (await engine.lead(email)).dueAt!.getTime() - engine.clock.now().getTime();

describe('an accepted email', () => {
  it('is counted and recorded once, and the lead continues with its step and its mailbox', async () => {
    const campaignId = await engine.campaign([mailboxId], ['ann@acme.test']);
    await engine.run(mailboxId);
    const [send] = await engine.sends('ann@acme.test');
    expect(send).toMatchObject({
      state: 'sent',
      attempt: 1,
      sentAt: NOON,
      subject: 'Hello',
      mailboxId: expect.anything(),
    });
    expect(engine.server.given).toMatchObject([{ to: 'ann@acme.test', messageId: send!.messageId }]);
    const lead = await engine.lead('ann@acme.test');
    expect(lead).toMatchObject({ status: 'active', sendId: null, sentCount: 1, dueAt: later(24 * HOUR) });
    expect(lead.thread).toMatchObject({ messageIds: [send!.messageId], subject: 'Hello' });
    expect(String(lead.mailboxId)).toBe(mailboxId);
    expect(await engine.sums(campaignId)).toMatchObject({ stats: { sent: 1, delivered: 1 }, leads: { active: 1 } });
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 1, nextAt: later(15 * MINUTE) });
    expect(await engine.events()).toEqual(['email.sent']);
  });

  it('is followed by a reply in its thread; then the lead and the campaign are completed', async () => {
    const campaignId = await engine.campaign([mailboxId], ['ann@acme.test']);
    await engine.run(mailboxId);
    engine.clock.advance(24 * HOUR);
    await engine.run(mailboxId);
    const [first, second] = await engine.sends('ann@acme.test');
    expect(second).toMatchObject({ state: 'sent', subject: 'Re: Hello' });
    expect(engine.server.given[1]?.text).toContain(`In-Reply-To: ${first!.messageId}`);
    expect(await engine.lead('ann@acme.test')).toMatchObject({
      status: 'completed',
      stopReason: 'finished',
      dueAt: null,
    });
    expect((await engine.campaignOf(campaignId)).status).toBe('completed');
    expect((await engine.sums(campaignId)).leads).toMatchObject({ total: 1, active: 0, completed: 1 });
    expect(await engine.events()).toEqual(['campaign.completed', 'email.sent', 'email.sent', 'lead.completed']);
  });
});

describe('an email that is refused temporarily', () => {
  it('is retried after 1, 5, 15 and 60 minutes with its Message-ID, and fails after the fifth attempt', async () => {
    const campaignId = await engine.campaign([mailboxId], ['ann@acme.test'], { newLeadsPerDay: 1, dailyLimit: 1 });
    const ids = new Set<string>();
    for (const [attempt, minutes] of [1, 5, 15, 60].entries()) {
      engine.server.answers.push(refused('temporary', 'handover', '451 4.3.0 later'));
      await engine.run(mailboxId);
      const [send] = await engine.sends('ann@acme.test');
      expect(send).toMatchObject({ state: 'retry', attempt: attempt + 1, lastReply: { code: '451' } });
      ids.add(send!.messageId);
      const wait = await retryAt('ann@acme.test');
      expect(wait).toBeGreaterThanOrEqual(minutes * MINUTE);
      expect(wait).toBeLessThanOrEqual(minutes * MINUTE * 1.2);
      engine.clock.advance(wait - 1);
      await engine.run(mailboxId);
      expect((await engine.sends('ann@acme.test'))[0]).toMatchObject({ state: 'retry', attempt: attempt + 1 });
      engine.clock.advance(1);
    }
    // The email was neither sent nor given up: the day's places are free, and rotation has counted the lead once.
    expect(await engine.used(campaignId)).toEqual({ all: 0, new: 0 });
    expect(await engine.share(campaignId, mailboxId)).toMatchObject({ newLeads: 1 });
    engine.server.answers.push(refused('temporary', 'handover', '451 4.3.0 later'));
    await engine.run(mailboxId);
    const [send] = await engine.sends('ann@acme.test');
    expect(send).toMatchObject({ state: 'failed', attempt: 5, reason: expect.stringContaining('After 5 attempts') });
    expect(ids).toEqual(new Set([send!.messageId]));
    expect(engine.server.given.map(({ messageId }) => messageId)).toEqual(Array(5).fill(send!.messageId));
    expect(await engine.lead('ann@acme.test')).toMatchObject({ status: 'paused', stopReason: 'failed' });
    expect(await engine.events()).toEqual(['campaign.completed', 'email.failed']);
  });

  it('keeps its place in the day if a retry succeeds', async () => {
    const campaignId = await engine.campaign([mailboxId], ['ann@acme.test'], { newLeadsPerDay: 5, dailyLimit: 5 });
    engine.server.answers.push(refused('temporary', 'recipient', '450 4.2.0 greylisted'));
    await engine.run(mailboxId);
    engine.clock.advance(2 * MINUTE);
    await engine.run(mailboxId);
    expect(await engine.stateOf('ann@acme.test')).toBe('sent');
    expect(await engine.used(campaignId)).toEqual({ all: 1, new: 1 });
    expect(await engine.share(campaignId, mailboxId)).toMatchObject({ newLeads: 1 });
  });

  it('stays with its mailbox, and is counted once, if its retry does not reach the handover', async () => {
    const campaignId = await engine.campaign([mailboxId], ['ann@acme.test'], { newLeadsPerDay: 5 });
    engine.server.answers.push(
      refused('temporary', 'recipient', '450 4.2.0 greylisted'),
      refused('temporary', 'connect'),
    );
    await engine.run(mailboxId);
    engine.clock.advance(2 * MINUTE);
    await engine.run(mailboxId);
    expect(await engine.sends('ann@acme.test')).toMatchObject([{ state: 'planned', attempt: 2 }]);
    expect(String((await engine.lead('ann@acme.test')).mailboxId)).toBe(mailboxId);
    expect(await engine.share(campaignId, mailboxId)).toMatchObject({ newLeads: 1 });
    expect(await engine.used(campaignId)).toEqual({ new: 0 });
  });

  it('does not delay others if it cannot be composed', async () => {
    await engine.campaign([mailboxId], [{ email: 'ann@acme.test', firstName: 'Ann' }, 'bob@acme.test']);
    const rendering = jest.spyOn(engine.get(TrackingUrlsService), 'urlsOf').mockImplementationOnce(() => {
      throw new Error('a line that is no line');
    });
    await engine.run(mailboxId);
    rendering.mockRestore();
    const states = [await engine.stateOf('ann@acme.test'), await engine.stateOf('bob@acme.test')];
    expect(new Set(states)).toEqual(new Set(['retry', 'sent']));
  });
});

describe('a server that cannot be reached', () => {
  it('releases everything: the lead, the budget, the interval, the places and the count of new leads', async () => {
    const limits = { newLeadsPerDay: 5, dailyLimit: 5, domainDailyLimit: 5, emailIntervalMinutes: 10 };
    const campaignId = await engine.campaign([mailboxId], ['ann@acme.test'], limits);
    const before = await engine.lead('ann@acme.test');
    engine.server.answers.push(refused('temporary', 'connect'));
    await engine.run(mailboxId);
    expect(await engine.lead('ann@acme.test')).toMatchObject({ mailboxId: null, sendId: null, dueAt: before.dueAt });
    expect(await engine.sends('ann@acme.test')).toMatchObject([{ state: 'planned', attempt: 1 }]);
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 0, slots: [], nextAt: later(5 * MINUTE) });
    expect(await engine.share(campaignId, mailboxId)).toMatchObject({ newLeads: 0, nextAt: null });
    expect(await engine.used(campaignId)).toEqual({ all: 0, new: 0, '@acme.test': 0 });
    expect(await engine.events()).not.toContain('email.failed');
  });

  it('releases the places on the day of their reservation, even if the campaign’s zone and limits have changed', async () => {
    const campaignId = await engine.campaign([mailboxId], ['ann@acme.test'], { dailyLimit: 5 });
    engine.server.beforeHandover = async () => {
      engine.server.beforeHandover = () => undefined;
      engine.clock.advance(13 * HOUR);
      const set = { dailyLimit: 9, newLeadsPerDay: 9, 'sendingSchedule.timezone': 'Pacific/Auckland' };
      await engine
        .model({ name: 'CampaignRecord' })
        .updateOne({ _id: campaignId, workspaceId: engine.workspaceId }, { $set: set });
    };
    engine.server.answers.push(refused('temporary', 'connect'));
    await engine.run(mailboxId);
    expect(await engine.used(campaignId)).toEqual({ all: 0 });
  });

  it('is retried by the next email when the retry is due, and is healthy once that email is sent', async () => {
    await engine.campaign([mailboxId], ['ann@acme.test']);
    const connection = { state: 'degraded', since: NOON, failures: 1, nextCheckAt: later(MINUTE), half: 'outgoing' };
    await engine.changeMailbox(mailboxId, { status: 'error', connection });
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([]);
    engine.clock.advance(MINUTE);
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual(['ann@acme.test']);
    const record = await engine
      .model<{ status: string }>({ name: 'MailboxRecord' })
      .findOne({ _id: mailboxId, workspaceId: engine.workspaceId })
      .lean();
    expect(record?.status).toBe('active');
  });
});

describe('an email that is refused permanently', () => {
  it('because the address does not exist: the lead is bounced in all campaigns and the address suppressed', async () => {
    const campaignId = await engine.campaign([mailboxId], ['ann@acme.test']);
    const other = await engine.campaign([await engine.mailbox()], ['ann@acme.test', 'bob@acme.test']);
    const { workspaceId } = engine;
    engine.server.answers.push(refused('permanent', 'recipient', '550 5.1.1 user unknown'));
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([]);
    expect(await engine.sends('ann@acme.test')).toMatchObject([{ state: 'failed' }]);
    expect(await engine.get(SuppressionsService).isSuppressed(workspaceId, 'ann@acme.test')).toBe(true);
    expect(await engine.sums(campaignId)).toMatchObject({
      stats: { sent: 0, bounced: 1 },
      leads: { active: 0, bounced: 1 },
    });
    expect((await engine.sums(other)).leads).toMatchObject({ active: 1, bounced: 1 });
    expect((await engine.campaignOf(campaignId)).status).toBe('completed');
    expect(await engine.events()).toContain('email.bounced');
  });

  it('because the address does not exist, with a crash right after the outcome: the remaining effects follow', async () => {
    await engine.campaign([mailboxId], ['ann@acme.test']);
    const another = await engine.mailbox();
    const other = await engine.campaign([another], ['ann@acme.test', 'bob@acme.test']);
    engine.server.answers.push(refused('permanent', 'recipient', '550 5.1.1 user unknown'));
    const crash = jest
      .spyOn(engine.get(MailAttemptService), 'applyToMailbox')
      .mockRejectedValueOnce(new Error('killed'));
    await expect(engine.run(mailboxId)).rejects.toThrow('killed');
    crash.mockRestore();
    await engine.expire(mailboxId);
    expect(await engine.get(SuppressionsService).isSuppressed(engine.workspaceId, 'ann@acme.test')).toBe(true);
    expect((await engine.sums(other)).leads).toMatchObject({ active: 1, bounced: 1 });
    expect((await engine.events()).filter((type) => type === 'lead.completed')).toHaveLength(2);
    await engine.run(mailboxId);
    await engine.run(another);
    expect(engine.recipients()).toEqual(['bob@acme.test']);
  });

  it('because the address does not exist: a concurrent email of another campaign to the address is withheld', async () => {
    const other = await engine.mailbox();
    await engine.campaign([mailboxId], ['ann@acme.test']);
    await engine.campaign([other], ['ann@acme.test']);
    engine.server.beforeHandover = async () => {
      engine.server.beforeHandover = () => undefined;
      engine.server.answers.push(refused('permanent', 'recipient', '550 5.1.1 user unknown'));
      await engine.run(other);
    };
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([]);
    expect((await engine.sends('ann@acme.test')).map(({ state }) => state).toSorted()).toEqual(['failed', 'planned']);
  });

  it('because of the sender: the mailbox stops at once, and the lead stays due until a person resumes the mailbox', async () => {
    const emails = ['ann@acme.test', 'bob@acme.test'];
    const campaignId = await engine.campaign([mailboxId], emails);
    const policy = () => refused('permanent', 'handover', '554 5.7.1 rejected for policy reasons');
    engine.server.answers.push(policy(), policy());
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    const stopped = { code: 'REFUSED', message: '554 5.7.1 rejected for policy reasons', at: NOON };
    expect((await engine.leaseOf(mailboxId)).stopped).toEqual(stopped);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    expect((await engine.sums(campaignId)).leads).toMatchObject({ active: 2 });
    expect(await engine.events()).toEqual(['mailbox.sending_stopped']);
    engine.server.answers.length = 0;
    await engine.get(MailboxUpdateService).resume(engine.workspace, mailboxId);
    await engine.run(mailboxId);
    expect(new Set(engine.recipients())).toEqual(new Set(emails));
    expect(engine.server.given).toHaveLength(3);
    expect(new Set(engine.server.given.map(({ messageId }) => messageId)).size).toBe(2);
  });

  it('because of its content: the step fails for this lead, and the campaign is flagged', async () => {
    const campaignId = await engine.campaign([mailboxId], ['ann@acme.test']);
    engine.server.answers.push(refused('permanent', 'handover', '552 5.3.4 message too large'));
    await engine.run(mailboxId);
    expect((await engine.campaignOf(campaignId)).problem).toMatchObject({ code: 'content_refused' });
    expect(await engine.lead('ann@acme.test')).toMatchObject({ status: 'paused', stopReason: 'failed' });
    expect(await engine.events()).toContain('email.failed');
  });

  it('is not sent again when the lead is resumed: the lead continues after the step', async () => {
    const campaignId = await engine.campaign([mailboxId], ['ann@acme.test', 'bob@acme.test']);
    engine.server.answers.push(refused('permanent', 'handover', '552 5.3.4 message too large'));
    await engine.run(mailboxId);
    const failed = (await engine.stateOf('ann@acme.test')) === 'failed' ? 'ann@acme.test' : 'bob@acme.test';
    const { _id } = await engine.lead(failed);
    await engine
      .get(LeadActionsService)
      .run(engine.workspace, campaignId, { action: 'resume', leadIds: [_id.toHexString()] });
    await engine.run(mailboxId);
    expect(await engine.lead(failed)).toMatchObject({ status: 'active', dueAt: later(24 * HOUR) });
    expect(engine.recipients().filter((to) => to === failed)).toHaveLength(1);
    engine.clock.advance(24 * HOUR);
    await engine.run(mailboxId);
    expect((await engine.sends(failed)).map(({ state }) => state)).toEqual(['failed', 'sent']);
  });
});

describe('a follow-up', () => {
  const followUp = async () => {
    const campaignId = await engine.campaign([mailboxId], ['ann@acme.test']);
    await engine.run(mailboxId);
    engine.clock.advance(24 * HOUR);
    return campaignId;
  };

  it('is sent after the mailbox was read', async () => {
    await followUp();
    const reads = engine.server.reads;
    await engine.run(mailboxId);
    expect([engine.server.reads - reads, engine.server.given.length]).toEqual([1, 2]);
  });

  it.each([
    ['cannot be reached', unreadable('temporary', 'connect')],
    ['refuses the login', unreadable('needs-human', 'login')],
    ['has lost its inbox', unreadable('permanent', 'request', 'Mailbox does not exist')],
    ['closes the connection', unreadable('ambiguous', 'request')],
  ])('is not sent while its mailbox %s, and the lead keeps its attempts', async (_name, error) => {
    await followUp();
    engine.server.onRead = () => Promise.reject(error);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    expect(await engine.sends('ann@acme.test')).toMatchObject([{ state: 'sent' }, { state: 'planned', attempt: 1 }]);
    expect(await engine.lead('ann@acme.test')).toMatchObject({ status: 'active', sendId: null, dueAt: later(0) });
    expect((await engine.leaseOf(mailboxId)).dayUsed).toBe(0);
  });

  it('does not delay new leads while its connected mailbox cannot be read, because new leads need no read', async () => {
    const campaignId = await followUp();
    await engine.leads(campaignId, ['bob@acme.test', 'cid@acme.test']);
    engine.server.onRead = () => Promise.reject(unreadable('temporary', 'busy'));
    await engine.run(mailboxId);
    expect(engine.recipients().slice(1).toSorted()).toEqual(['bob@acme.test', 'cid@acme.test']);
    expect(await engine.sends('ann@acme.test')).toMatchObject([{ state: 'sent' }, { state: 'planned' }]);
    expect((await engine.leaseOf(mailboxId)).dayUsed).toBe(2);
    engine.server.onRead = () => undefined;
    const { nextAt } = await engine.leaseOf(mailboxId);
    expect(nextAt!.getTime()).toBeGreaterThan(engine.clock.now().getTime());
    engine.clock.freeze(nextAt!);
    await engine.run(mailboxId);
    expect(engine.recipients().at(-1)).toBe('ann@acme.test');
  });

  it('delays new leads while its mailbox cannot be reached, because a disconnected mailbox sends nothing', async () => {
    const campaignId = await followUp();
    await engine.leads(campaignId, ['bob@acme.test']);
    engine.server.onRead = () => Promise.reject(unreadable('temporary', 'connect'));
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    expect(await engine.stateOf('bob@acme.test')).toBeUndefined();
  });

  it('is not sent if the read finds a message that stops the lead', async () => {
    const campaignId = await followUp();
    const { _id } = await engine.lead('ann@acme.test');
    engine.server.onRead = () =>
      engine
        .get(LeadActionsService)
        .run(engine.workspace, campaignId, { action: 'pause', leadIds: [_id.toHexString()] });
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    expect(await engine.stateOf('ann@acme.test')).toBe('planned');
  });
});

it('outcomes of any kind are counted exactly', async () => {
  const emails = Array.from({ length: 12 }, (_, at) => `lead-${at}@d${at}.test`);
  const campaignId = await engine.campaign([mailboxId], emails);
  engine.server.answers.push(
    refused('permanent', 'recipient', '550 5.1.1 no such user'),
    refused('temporary', 'handover', '451 later'),
    refused('ambiguous', 'handover'),
    refused('permanent', 'handover', '552 too large'),
  );
  await engine.run(mailboxId);
  await engine.run(mailboxId);
  const states = await Promise.all(emails.map((email) => engine.stateOf(email)));
  expect(states.filter((state) => state === 'sent')).toHaveLength(8);
  const others = states.filter((state) => state !== 'sent').map(String);
  expect(others.toSorted()).toEqual(['ambiguous', 'failed', 'failed', 'retry']);
  expect(await engine.get(CampaignCountersService).sum(engine.workspaceId, [campaignId])).toMatchObject(
    new Map([[campaignId, { stats: { sent: 8, bounced: 1 }, leads: { active: 10, paused: 1, bounced: 1 } }]]),
  );
});
