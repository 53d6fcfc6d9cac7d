import { AgentTextsService } from '@domain/agents';
import { Types } from 'mongoose';
import { writtenText } from '../../libs/domain/agents/testing';
import { expectFormB, type Platform, sharedPlatform } from '../harness';
import { dataOf, ID, ISO } from '../workspaces/people';
import { type Agent, Agents } from './agents';

describe('GET /v1/agents/:agentId/texts', () => {
  let platform: Platform;
  let agents: Agents;
  let agent: Agent;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  beforeEach(async () => {
    agents = await Agents.of(platform);
    agent = await agents.make();
  });
  afterAll(() => platform.close());

  const write = (fields: Parameters<typeof writtenText>[1] = {}) => {
    const of = { _id: new Types.ObjectId(agent._id), workspaceId: new Types.ObjectId(agent.workspaceId) };
    return platform.app.get(AgentTextsService, { strict: false }).record(writtenText(of, fields));
  };
  const get = (query = '') => agents.api.get(`/v1/agents/${agent._id}/texts?${query}`);

  it('is empty before the agent has written a text', async () => {
    expect((await get().expect(200)).body).toEqual({
      success: true,
      data: [],
      pagination: { limit: 25, total: 0, hasMore: false, nextCursor: null },
    });
  });

  it('shows for each text its content, model, prompt and cost', async () => {
    const conversationId = new Types.ObjectId();
    await write({ purpose: 'reply', conversationId, subject: 'Re: Roadmap', text: 'Dear Ada', cost: 0.000_001 });
    expect(dataOf(await get().expect(200))).toEqual([
      {
        _id: ID,
        agentId: agent._id,
        purpose: 'reply',
        conversationId: conversationId.toHexString(),
        model: 'test-model',
        promptVersion: 'draft-1',
        inputTokens: 31,
        outputTokens: 5,
        cost: 0.000_001,
        subject: 'Re: Roadmap',
        text: 'Dear Ada',
        unused: [],
        createdAt: ISO,
      },
    ]);
  });

  it('lists the newest first, in pages', async () => {
    for (const text of ['one', 'two', 'three']) {
      platform.clock.advance(1_000);
      await write({ text });
    }
    const first = await get('limit=2').expect(200);
    const { nextCursor } = (first.body as { pagination: { nextCursor: string } }).pagination;
    const rest = await get(`limit=2&cursor=${encodeURIComponent(nextCursor)}`).expect(200);
    const said = [first, rest].flatMap((page) => dataOf<{ text: string }[]>(page).map(({ text }) => text));
    expect(said).toEqual(['three', 'two', 'one']);
  });

  it('refuses a cursor of another agent', async () => {
    for (const text of ['one', 'two']) await write({ text });
    const { nextCursor } = ((await get('limit=1')).body as { pagination: { nextCursor: string } }).pagination;
    const other = await agents.make();
    const asked = agents.api.get(`/v1/agents/${other._id}/texts?limit=1&cursor=${encodeURIComponent(nextCursor)}`);
    expectFormB(await asked, 400, 'VALIDATION_ERROR', 'cursor');
  });

  it('refuses an invalid list query and names the field', async () => {
    const cases: readonly string[] = ['limit=0', 'limit=101', 'purpose=reply'];
    for (const query of cases) {
      expectFormB(await get(query), 400, 'VALIDATION_ERROR', query.split('=')[0] ?? '');
    }
  });
});
