import { ConversationUpdateService } from '@domain/inbox';
import { mail } from '../../inbox/testing';
import { AgentRepliesService } from './agent-replies.service';
import { AgentReplyJobService } from './agent-reply-job.service';
import { MAX_IN_THREAD } from './decide/reply-eligibility';
import { ADA, ANSWER, INTERESTED, refuses } from './testing/model-answers';
import { AutonomyFixture } from './testing/autonomy-fixture';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let agents: AutonomyFixture;

beforeAll(async () => {
  agents = await AutonomyFixture.open();
});
afterAll(() => agents.close());
beforeEach(() => agents.fresh());

const decide = () => agents.get(AgentRepliesService);
const idOf = async () => (await agents.reply())._id.toHexString();

describe('an autonomous agent', () => {
  it('replies once to the sender, in the thread, through the mailbox sender', async () => {
    const agent = await agents.agent();
    const conversation = await agents.answered();
    expect(await agents.reply()).toMatchObject({
      state: 'planned',
      label: 'positive',
      position: 0,
      email: ADA,
      attempts: 0,
    });
    await agents.work();
    expect(await agents.reply()).toMatchObject({ state: 'handed', text: ANSWER, model: 'test-model', attempts: 1 });
    expect(await agents.queued()).toMatchObject([
      { state: 'queued', email: ADA, text: ANSWER, conversationId: conversation._id, createdBy: { kind: 'system' } },
    ]);
    await agents.runMailbox();
    agents.clock.advance(10_000);
    await agents.work();
    expect(await agents.reply()).toMatchObject({ state: 'sent', agentId: agent._id, reason: null, dueAt: null });
    const [raw = '', ...more] = agents.given();
    expect(more).toEqual([]);
    expect(raw).toMatch(/^In-Reply-To: <answer-\d+@elsewhere\.test>\r$/m);
    expect(raw).toMatch(/^To: "?Ada"? <ada@acme\.test>\r$/m);
    expect(raw).toContain('<p>Hello Ada,</p>');
    expect((await agents.inbox.said()).map(({ kind }) => kind)).toEqual(['reply', 'agent']);
  });

  it('keeps the generated text with the model, the prompt and the cost', async () => {
    const agent = await agents.agent();
    const { _id: conversationId } = await agents.answered();
    await agents.work();
    const { textId, cost } = await agents.reply();
    expect(await agents.texts()).toMatchObject([
      {
        _id: textId,
        agentId: agent._id,
        conversationId,
        purpose: 'reply',
        model: 'test-model',
        promptVersion: 'reply-1',
      },
    ]);
    // 31 input and 5 output tokens, at prices of 2 and 8 per million.
    expect(cost).toBeCloseTo(0.000102, 9);
    expect((await agents.texts())[0]).toMatchObject({ text: ANSWER, inputTokens: 31, outputTokens: 5, cost });
  });

  it('waits for its delay before it asks the model', async () => {
    await agents.agent({ mode: { delayMinutes: 30 } });
    await agents.answered();
    agents.clock.advance(29 * MINUTE_MS);
    await agents.work();
    expect(agents.model.asked).toEqual([]);
    agents.clock.advance(MINUTE_MS);
    await agents.work();
    expect(await agents.reply()).toMatchObject({ state: 'handed' });
  });

  it.each([
    ['a message with another label', 'No thanks, we are not interested.'],
    ['a message with an opt-out', 'Please remove me from your mailing list.'],
  ])('ignores %s', async (_name, text) => {
    await agents.agent({ mode: { labels: ['positive', 'unsubscribe_request'] } });
    await agents.answered(text);
    expect(await agents.replies()).toEqual([]);
  });

  it.each([
    ['is not autonomous', { mode: { enabled: false } }],
    ['is inactive', { more: { isActive: false } }],
    ['is not the default', { more: { isDefault: false } }],
  ])('sends no reply when it %s', async (_name, fields) => {
    await agents.agent(fields);
    await agents.answered();
    expect(await agents.replies()).toEqual([]);
  });

  it('replies only to the lead and the sender, whatever the Reply-To address', async () => {
    const wanted = [
      ['a person outside the conversation', 'victim@bank.test', 'cancelled'],
      ['several, one of whom takes no part', `${ADA}, victim@bank.test`, 'cancelled'],
      ['the lead itself', 'The lead <LEAD-2@acme.test>', 'sent'],
      ['the sender', 'bob@acme.test', 'sent'],
      ['an invalid address', 'root@localhost', 'sent'],
    ] as const;
    await agents.agent();
    const emails = wanted.map((_one, at) => `lead-${at}@acme.test`);
    const written = await agents.inbox.allWritten(emails, await agents.inbox.campaign());
    for (const [at, { send }] of written.entries()) {
      const headers = `Reply-To: ${wanted[at]?.[1]}\n`;
      const from = 'Bob <bob@acme.test>';
      await agents.inbox.comes(mail({ from, inReplyTo: send.messageId, text: INTERESTED, headers }));
    }
    await agents.inbox.look();
    await agents.settle();
    const became = new Map((await agents.replies()).map(({ email, state, cause }) => [email, { state, cause }]));
    expect(wanted.map(([name], at) => [name, became.get(emails[at] ?? '')])).toEqual(
      wanted.map(([name, , state]) => [name, { state, cause: state === 'sent' ? null : 'elsewhere' }]),
    );
    expect(agents.given()).toHaveLength(3);
    expect(agents.model.asked).toHaveLength(3);
  });

  it('ignores messages that are older than seven days', async () => {
    await agents.agent({ mode: { labels: ['negative'] } });
    const { _id } = await agents.answered();
    const relabelled = (label: 'negative' | null) =>
      agents.get(ConversationUpdateService).update(agents.workspace, _id.toHexString(), { label });
    agents.clock.advance(7 * DAY_MS + HOUR_MS);
    await relabelled('negative');
    expect(await agents.replies()).toEqual([]);
    agents.clock.advance(-2 * HOUR_MS);
    await relabelled(null);
    await relabelled('negative');
    expect(await agents.reply()).toMatchObject({ state: 'planned' });
  });

  it('leaves a message with a stop word to people and records the cause', async () => {
    await agents.agent({ mode: { stopWords: ['call'] } });
    await agents.answered();
    await agents.work();
    expect(await agents.reply()).toMatchObject({
      state: 'cancelled',
      cause: 'stop_word',
      reason: 'The message contains the stop word “call”: it is left to people',
    });
    expect(agents.model.asked).toEqual([]);
  });

  it('leaves a message to people when the model asks for it, with a fixed phrase as reason', async () => {
    await agents.agent();
    agents.model.otherwise = refuses('hostile');
    await agents.answered();
    await agents.settle();
    expect(await agents.reply()).toMatchObject({ state: 'cancelled', cause: 'left', text: null });
    expect(await agents.texts()).toHaveLength(1);
    expect(agents.given()).toEqual([]);
  });

  it('replies again to later messages, up to the limit of a thread', async () => {
    await agents.agent();
    const written = await agents.inbox.written(ADA);
    for (let answer = 0; answer <= MAX_IN_THREAD; answer += 1) {
      await agents.says(written, `${INTERESTED} (${answer})`);
      await agents.settle();
      agents.clock.advance(HOUR_MS);
    }
    const replies = await agents.replies();
    expect(replies.map(({ state }) => state)).toEqual([...Array<string>(MAX_IN_THREAD).fill('sent'), 'cancelled']);
    expect(replies.at(-1)).toMatchObject({ cause: 'thread_limit' });
    expect(agents.given()).toHaveLength(MAX_IN_THREAD);
  });

  it('replies only in its working hours and up to its daily limit', async () => {
    const workingHours = { timezone: 'UTC', startTime: '13:00', endTime: '17:00', workingDays: [1, 2, 3, 4, 5] };
    await agents.agent({ mode: { workingHours, dailyLimit: 1 } });
    await agents.answered();
    await agents.answered(INTERESTED, 'bob@acme.test');
    await agents.work();
    expect(agents.model.asked).toEqual([]);
    agents.clock.advance(HOUR_MS);
    await agents.work();
    const states = async () => (await agents.replies()).map(({ state, cause }) => [state, cause]);
    expect(await states()).toEqual([
      ['handed', null],
      ['scheduled', 'daily_limit'],
    ]);
    const [, second] = await agents.replies();
    expect(second?.dueAt).toEqual(new Date('2026-11-26T13:00:00Z'));
    agents.clock.freeze(new Date('2026-11-26T13:00:00Z'));
    await agents.work();
    expect((await agents.replies())[1]).toMatchObject({ state: 'handed', handedDay: '2026-11-26' });
  });

  it('stays within its daily limit under concurrent handovers', async () => {
    await agents.agent({ mode: { dailyLimit: 2, approval: 'required' } });
    const emails = ['ada', 'bob', 'eve', 'kim'].map((name) => `${name}@acme.test`);
    for (const { send } of await agents.inbox.allWritten(emails, await agents.inbox.campaign())) {
      await agents.inbox.comes(mail({ from: send.email, inReplyTo: send.messageId, text: INTERESTED }));
    }
    await agents.inbox.look();
    await agents.work();
    const replies = await agents.replies();
    for (const { _id } of replies) await decide().approve(agents.workspace, _id.toHexString());
    const run = (agentReplyId: string) =>
      agents
        .get(AgentReplyJobService)
        .run({ workspaceId: agents.workspace.workspaceId, agentReplyId }, AbortSignal.timeout(30_000));
    await Promise.all(replies.map(({ _id }) => run(_id.toHexString())));
    expect((await agents.replies()).filter(({ state }) => state === 'handed')).toHaveLength(2);
    expect(await agents.queued()).toHaveLength(2);
  });
});

describe('a reply that awaits approval', () => {
  beforeEach(async () => {
    await agents.agent({ mode: { approval: 'required' } });
    await agents.answered();
    await agents.work();
  });

  it('is sent only after an approval, once, and in the name of the approver', async () => {
    expect(await agents.reply()).toMatchObject({ state: 'awaiting_approval', text: ANSWER });
    expect(agents.given()).toEqual([]);
    const userId = 'f'.repeat(24);
    const person = { ...agents.workspace, actor: { kind: 'user' as const, userId, keyId: null } };
    const id = await idOf();
    const first = await decide().approve(person, id);
    expect(first).toMatchObject({ state: 'scheduled', decidedBy: { userId } });
    // A repeated approval changes nothing; a different decision is refused.
    expect(await decide().approve(agents.workspace, id)).toEqual(first);
    await expect(decide().reject(agents.workspace, id, {})).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(decide().edit(agents.workspace, id, { text: 'x' })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(agents.given()).toEqual([]);
    await agents.settle();
    expect(await agents.reply()).toMatchObject({ state: 'sent' });
    expect(await agents.queued()).toMatchObject([{ createdBy: { kind: 'user', userId } }]);
    expect(agents.given()).toHaveLength(1);
    // A client repeats the request when it lost the first response.
    expect(await decide().approve(agents.workspace, id)).toMatchObject({ state: 'sent' });
    expect(agents.given()).toHaveLength(1);
  });

  it('is sent with a person’s changes; the generated text stays on record', async () => {
    const text = 'Hello Ada,\n\nI call you on Tuesday.\n\nGrace';
    await decide().edit(agents.workspace, await idOf(), { text });
    expect(await agents.reply()).toMatchObject({ state: 'awaiting_approval', text, decidedAt: null });
    await decide().approve(agents.workspace, await idOf());
    await agents.settle();
    expect(agents.given()[0]).toContain('I call you on Tuesday.');
    expect(await agents.texts()).toMatchObject([{ text: ANSWER }]);
  });

  it('is not sent after a rejection', async () => {
    const rejected = await decide().reject(agents.workspace, await idOf(), { reason: 'I call her' });
    expect(rejected).toMatchObject({ state: 'rejected', cause: 'person', reason: 'I call her', dueAt: null });
    await agents.settle();
    expect(agents.given()).toEqual([]);
    await expect(decide().approve(agents.workspace, await idOf())).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('accepts one of ten concurrent approvals and rejections', async () => {
    const id = await idOf();
    const decisions = Array.from({ length: 10 }, (_each, at) =>
      at % 2 ? decide().approve(agents.workspace, id) : decide().reject(agents.workspace, id, {}),
    );
    const results = await Promise.allSettled(decisions);
    const states = new Set(results.flatMap((one) => (one.status === 'fulfilled' ? one.value.state : [])));
    expect(states.size).toBe(1);
    expect(states).toContain((await agents.reply()).state);
  });

  it('expires', async () => {
    agents.clock.advance(7 * DAY_MS);
    await agents.work();
    expect(await agents.reply()).toMatchObject({ state: 'expired', cause: 'time', dueAt: null });
  });
});
