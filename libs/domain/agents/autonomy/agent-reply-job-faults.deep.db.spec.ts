import { InboxRepliesService } from '@domain/inbox';
import { QueuesService } from '@platform/queues';
import { FAILURES } from '../../../adapters/llm/testing';
import { AgentTextsService } from '../texts/agent-texts.service';
import { Types } from 'mongoose';
import { AgentReplyRecord } from '../schemas/agent-reply.record';
import { waitingReply } from '../testing';
import { AgentReplyJobService, MAX_SWEPT_PER_WORKSPACE } from './agent-reply-job.service';
import { MAX_WRITINGS } from './decide/drafting-failure';
import { WRITING_LEASE_MS } from './agent-reply-writer.service';
import { ANSWER, INTERESTED, says } from './testing/model-answers';
import { AutonomyFixture } from './testing/autonomy-fixture';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let agents: AutonomyFixture;

beforeAll(async () => {
  agents = await AutonomyFixture.open();
});
afterAll(() => agents.close());
beforeEach(() => agents.fresh());

const worded = (text: string) => JSON.stringify({ refuse: false, reason: 'none', text });

describe('a model that fails', () => {
  it('is retried and then fails the reply with a visible cause', async () => {
    await agents.agent();
    await agents.answered();
    for (let time = 1; time < MAX_WRITINGS; time += 1) {
      agents.model.otherwise = time % 2 ? FAILURES.server() : FAILURES.rate_limited();
      await agents.work();
      expect(await agents.reply()).toMatchObject({ state: 'planned', cause: 'model', attempts: time });
      agents.clock.advance(3 * HOUR_MS);
    }
    agents.model.otherwise = FAILURES.server();
    await agents.work();
    const reason = 'The language model did not answer: server';
    expect(await agents.reply()).toMatchObject({ state: 'failed', reason });
    expect(agents.given()).toEqual([]);
  });

  it('is retried after one failure, and its next text is sent', async () => {
    await agents.agent();
    agents.model.otherwise = 'silence';
    await agents.answered();
    await agents.work();
    expect(await agents.reply()).toMatchObject({ state: 'planned', cause: 'model' });
    agents.model.otherwise = says(ANSWER);
    agents.clock.advance(MINUTE_MS);
    await agents.settle();
    expect(await agents.reply()).toMatchObject({ state: 'sent' });
    expect(await agents.texts()).toHaveLength(1);
  });

  it('is asked once more after an unusable text; then the reply fails and keeps the texts with their cost', async () => {
    const link = `${ANSWER} https://evil.example.org`;
    const said = [
      ['no-json@acme.test', FAILURES.malformed(), 'is not a JSON object', 'no JSON'],
      ['link@acme.test', says(link), 'contains a link that the workspace has not provided', worded(link)],
      ['gap@acme.test', says('Hello [Name], Tuesday?'), 'contains a placeholder', worded('Hello [Name], Tuesday?')],
    ] as const;
    await agents.agent();
    agents.model.otherwise = (question) => {
      const of = said.find(([email]) => JSON.stringify(question).includes(`I am ${email}`));
      return of?.[1] ?? FAILURES.server();
    };
    const written = await agents.inbox.allWritten(
      said.map(([email]) => email),
      await agents.inbox.campaign(),
    );
    for (const each of written) await agents.says(each, `${INTERESTED} I am ${each.send.email}`, each.send.email);
    await agents.settle();
    expect(agents.model.asked).toHaveLength(2 * said.length);
    expect(agents.given()).toEqual([]);
    const [replies, texts] = [await agents.replies(), await agents.texts()];
    // Two requests with 31 input and 5 output tokens, at prices of 2 and 8 per million.
    const spent = { model: 'test-model', promptVersion: 'reply-1', cost: 0.000_204 };
    for (const [email, , fault, text] of said) {
      const reply = replies.find((one) => one.email === email);
      const reason = `The text of the language model ${fault}`;
      expect(reply).toMatchObject({ ...spent, state: 'failed', cause: 'model', reason, text: null });
      const kept = texts.filter(({ _id }) => String(_id) === String(reply?.textId));
      const unused = [
        { fault, text },
        { fault, text },
      ];
      expect(kept).toMatchObject([{ ...spent, purpose: 'reply', text: '', unused, inputTokens: 62 }]);
    }
    expect(texts).toHaveLength(said.length);
  });

  it('keeps the text before a temporary failure and later sends a usable text', async () => {
    await agents.agent();
    agents.model.next(FAILURES.malformed(), FAILURES.server(), FAILURES.server());
    await agents.answered();
    await agents.work();
    expect(await agents.reply()).toMatchObject({ state: 'planned', cost: 0.000_102 });
    agents.clock.advance(MINUTE_MS);
    await agents.settle();
    expect(await agents.reply()).toMatchObject({ state: 'sent', text: ANSWER, cost: 0.000_204 });
    expect(await agents.texts()).toMatchObject([
      { text: '', unused: [{ fault: 'is not a JSON object', text: 'no JSON' }] },
      { text: ANSWER, unused: [] },
    ]);
  });

  it('keeps the first, unusable text with the sent text', async () => {
    await agents.agent();
    agents.model.next(says('Hello [Name], Tuesday?'));
    await agents.answered();
    await agents.settle();
    expect(agents.given()).toHaveLength(1);
    expect(await agents.texts()).toMatchObject([
      {
        text: ANSWER,
        unused: [{ text: expect.stringContaining('[Name]') as string }],
        inputTokens: 62,
        cost: 0.000_204,
      },
    ]);
  });
});

describe('an agent whose reply cannot be scheduled', () => {
  it('does not block the intake of mail', async () => {
    // A zone that the settings accepted and a later release of the zone data no longer has.
    const workingHours = { timezone: 'Europe/Atlantis', startTime: '09:00', endTime: '17:00', workingDays: [3] };
    await agents.agent({ mode: { workingHours } });
    expect(await agents.answered()).toMatchObject({ label: 'positive' });
    expect(await agents.replies()).toEqual([]);
  });
});

describe('a worker that crashes', () => {
  it('during the model request: another worker asks again after the lease and sends one mail', async () => {
    await agents.agent();
    await agents.answered();
    const texts = jest.spyOn(agents.get(AgentTextsService), 'record');
    texts.mockRejectedValueOnce(new Error('killed'));
    await expect(agents.work()).rejects.toThrow('killed');
    texts.mockRestore();
    expect(await agents.reply()).toMatchObject({ state: 'writing', attempts: 1 });
    await agents.work();
    expect(agents.model.asked).toHaveLength(1);
    agents.clock.advance(WRITING_LEASE_MS);
    await agents.settle();
    expect(agents.model.asked).toHaveLength(2);
    expect(await agents.reply()).toMatchObject({ state: 'sent', attempts: 2 });
    expect(agents.given()).toHaveLength(1);
  });

  it('at every attempt: the reply fails', async () => {
    await agents.agent();
    await agents.answered();
    const texts = jest.spyOn(agents.get(AgentTextsService), 'record').mockRejectedValue(new Error('killed'));
    for (let time = 0; time < MAX_WRITINGS; time += 1) {
      await expect(agents.work()).rejects.toThrow('killed');
      agents.clock.advance(WRITING_LEASE_MS);
    }
    texts.mockRestore();
    await agents.work();
    expect(await agents.reply()).toMatchObject({ state: 'failed', cause: 'model' });
    expect(agents.model.asked).toHaveLength(MAX_WRITINGS);
  });

  it('after the inbox has the reply: nothing is queued twice, and the sweep finds the outcome', async () => {
    await agents.agent();
    await agents.answered();
    const announce = jest.spyOn(agents.get(InboxRepliesService), 'enqueue').mockRejectedValueOnce(new Error('killed'));
    await expect(agents.work()).rejects.toThrow('killed');
    announce.mockRestore();
    await agents.runMailbox();
    agents.clock.advance(10_000);
    await agents.work();
    expect(await agents.reply()).toMatchObject({ state: 'sent' });
    expect(agents.given()).toHaveLength(1);
  });

  it('before it records the handover: the reply is handed over once', async () => {
    await agents.agent();
    await agents.answered();
    const create = jest
      .spyOn(agents.get(InboxRepliesService), 'createAutomatic')
      .mockRejectedValueOnce(new Error('killed'));
    await expect(agents.work()).rejects.toThrow('killed');
    create.mockRestore();
    expect(await agents.reply()).toMatchObject({ state: 'scheduled', replyId: null });
    expect(await agents.queued()).toEqual([]);
    await agents.settle();
    expect(agents.given()).toHaveLength(1);
    expect(agents.model.asked).toHaveLength(1);
  });

  it('with Redis emptied: the sweep enqueues due work again, once', async () => {
    await agents.agent();
    await agents.answered();
    const runs = agents.get(AgentReplyJobService);
    await agents.get(QueuesService).get('agent-reply').obliterate({ force: true });
    expect(await runs.sweep()).toBeGreaterThanOrEqual(1);
    expect(await runs.sweep()).toBe(0);
    const [job] = await agents.get(QueuesService).get('agent-reply').getJobs(['waiting', 'delayed']);
    expect(job?.data).toMatchObject({ workspaceId: agents.workspace.workspaceId });
  });

  it('with thousands due in one workspace: a sweep enqueues some of each workspace, oldest first', async () => {
    const model = agents.inbox.model<AgentReplyRecord>(AgentReplyRecord);
    const seeded = async (count: number) => {
      const ids = [1, 2, 3].map(() => new Types.ObjectId().toHexString()) as [string, string, string];
      const [agentId, conversationId, leadId] = ids;
      const of = { workspaceId: agents.workspace.workspaceId, agentId, conversationId, leadId };
      const dueAt = (at: number) => new Date(agents.clock.now().getTime() - HOUR_MS + at);
      await model.insertMany(
        Array.from({ length: count }, (_each, at) => waitingReply(of, { state: 'planned', dueAt: dueAt(at) })),
      );
      return of.workspaceId;
    };
    const many = await seeded(MAX_SWEPT_PER_WORKSPACE + 10);
    await agents.fresh();
    const few = await seeded(2);
    const queue = agents.get(QueuesService).get('agent-reply');
    await queue.obliterate({ force: true });
    await agents.get(AgentReplyJobService).sweep();
    const jobs = await queue.getJobs(['waiting', 'delayed']);
    const of = (workspaceId: string) => jobs.filter(({ data }) => data['workspaceId'] === workspaceId).length;
    expect([of(many), of(few)]).toEqual([MAX_SWEPT_PER_WORKSPACE, 2]);
    await queue.obliterate({ force: true });
  });
});
