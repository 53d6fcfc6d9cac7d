import { HookRegistry } from '@platform/hooks';
import { CONVERSATION_HOOKS } from '@domain/inbox';
import { Types } from 'mongoose';
import { type AgentRecord } from '../schemas/agent.record';
import { AgentReplyRecord } from '../schemas/agent-reply.record';
import { AgentTextRecord } from '../schemas/agent-text.record';
import { AgentsFixture, waitingReply, writtenText } from '../testing';
import { AgentTextsService } from './agent-texts.service';

const EACH = 6;

describe('texts of agents', () => {
  let agents: AgentsFixture;
  let agent: AgentRecord;

  beforeAll(async () => {
    agents = await AgentsFixture.open();
    await agents.fresh();
    agent = await agents.agent();
    const other = await agents.agent();
    for (const one of [agent, other]) {
      for (let at = 0; at < EACH; at += 1) {
        agents.clock.advance(1_000);
        await agents.get(AgentTextsService).record(writtenText(one, { text: `Text ${at}` }));
      }
    }
  });
  afterAll(() => agents.close());

  const list = (limit: number, cursor?: string) =>
    agents.get(AgentTextsService).list(agents.workspace, agent._id.toHexString(), { limit, ...(cursor && { cursor }) });

  it('are listed newest first, page by page, for one agent', async () => {
    const first = await list(4);
    expect(first.items.map(({ text }) => text)).toEqual(['Text 5', 'Text 4', 'Text 3', 'Text 2']);
    const { nextCursor } = first.pagination;
    expect((await list(4, nextCursor ?? 'none')).items.map(({ text }) => text)).toEqual(['Text 1', 'Text 0']);
    expect(first.pagination).toMatchObject({ total: EACH, hasMore: true });
  });

  it('store all their data', async () => {
    const conversationId = new Types.ObjectId();
    const written = writtenText(await agents.agent(), { conversationId, subject: 'Re: Roadmap', purpose: 'reply' });
    const _id = await agents.get(AgentTextsService).record(written);
    const stored = await agents
      .model<AgentTextRecord>(AgentTextRecord)
      .findOne({ workspaceId: agent.workspaceId, _id });
    const { usage, ...fields } = written;
    expect(stored?.toObject()).toEqual({ ...fields, ...usage, _id, createdAt: expect.any(Date) as unknown });
  });

  it('are found by an index without scanning those of other agents', async () => {
    const plan = await agents
      .model<AgentTextRecord>(AgentTextRecord)
      .find({ workspaceId: agent.workspaceId, agentId: agent._id })
      .sort({ createdAt: -1, _id: -1 })
      .limit(26)
      .explain('executionStats');
    expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_agentId_1_createdAt_-1__id_-1"');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: EACH } });
  });

  it('are erased with their conversation, and those of other conversations stay', async () => {
    const [gone, kept] = [new Types.ObjectId(), new Types.ObjectId()];
    const other = await agents.agent();
    for (const conversationId of [gone, gone, kept]) {
      await agents.get(AgentTextsService).record(writtenText(other, { conversationId }));
    }
    await agents.get(HookRegistry).call(CONVERSATION_HOOKS, 'erased', { _id: gone, workspaceId: agent.workspaceId });
    const { items } = await agents
      .get(AgentTextsService)
      .list(agents.workspace, other._id.toHexString(), { limit: 10 });
    expect(items.map(({ conversationId }) => conversationId)).toEqual([kept.toHexString()]);
  });

  it('are deleted after the replies of their conversation, and none is recorded for a deleted reply', async () => {
    const { workspaceId } = agents.workspace;
    const [agentId, conversationId, leadId] = [1, 2, 3].map(() => new Types.ObjectId().toHexString()) as [
      string,
      string,
      string,
    ];
    const replies = agents.model<AgentReplyRecord>(AgentReplyRecord);
    await replies.create(waitingReply({ workspaceId, agentId, conversationId, leadId }, { state: 'writing' }));
    const left: number[] = [];
    const texts = agents.model<AgentTextRecord>(AgentTextRecord);
    const deleteMany = texts.deleteMany.bind(texts);
    const looked = async (filter: object) => {
      left.push(await replies.countDocuments({ workspaceId }));
      return deleteMany(filter);
    };
    jest.spyOn(texts, 'deleteMany').mockImplementation(looked as unknown as typeof texts.deleteMany);
    const gone = { _id: new Types.ObjectId(conversationId), workspaceId: new Types.ObjectId(workspaceId) };
    await agents.get(HookRegistry).call(CONVERSATION_HOOKS, 'erased', gone);
    expect(left).toEqual([0]);
  });
});
