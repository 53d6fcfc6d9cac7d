import { AgentTextsService } from '@domain/agents';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { expectFormA, expectFormB, type Platform, sharedPlatform } from '../harness';
import { auditedActions, dataOf, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { Agents } from './agents';

const MINUTE_MS = 60_000;

describe('DELETE /v1/agents/:agentId', () => {
  let platform: Platform;
  let agents: Agents;

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
    await platform.tick('agent-erasure'); // a schedule that is first seen is due at the next run
  });
  beforeEach(async () => {
    agents = await Agents.of(platform);
  });
  afterAll(() => platform.close());

  const remove = (id: string) => agents.api.delete(`/v1/agents/${id}`);
  const kept = (collection: string) =>
    platform.app
      .get<Connection>(getConnectionToken(), { strict: false })
      .collection(collection)
      .countDocuments({ workspaceId: new Types.ObjectId(agents.workspace.workspaceId) });

  it('deletes the agent at once and only once, not with a read-only key, and refunds no credits', async () => {
    const { _id } = await agents.make();
    const key = await platform.seed.workspaceKey(agents.workspace.workspaceId, ['read']);
    expectFormA(await platform.api.as(key).delete(`/v1/agents/${_id}`), 403, 'permission');
    const answers = await Promise.all([remove(_id), remove(_id), remove(_id)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404, 404]);
    const deleted = answers.find(({ status }) => status === 200);
    expect(deleted?.body).toEqual({ success: true, data: { message: 'Agent deleted' } });
    expectFormB(await agents.api.get(`/v1/agents/${_id}`), 404, 'NOT_FOUND');
    expect(await agents.list()).toEqual([]);
    expect(await agents.balance()).toBe(90);
    expect(await auditedActions(platform, agents.workspace)).toContain('agent.deleted');
  });

  it('passes the default on to the oldest active agent, and to an inactive one if no other is left', async () => {
    const first = await agents.make();
    platform.clock.advance(1_000);
    const inactive = await agents.make();
    await agents.update(inactive._id, { isActive: false });
    platform.clock.advance(1_000);
    const oldest = await agents.make();
    platform.clock.advance(1_000);
    const youngest = await agents.make();
    await agents.delete(first._id);
    expect(await agents.defaults()).toEqual([oldest._id]);
    await agents.delete(youngest._id);
    await agents.delete(oldest._id);
    expect(await agents.defaults()).toEqual([inactive._id]);
  });

  it('leaves exactly one default when the default is deleted while another agent becomes it', async () => {
    const [first, second] = [await agents.make(), await agents.make()];
    await agents.make();
    const [, patched] = await Promise.all([agents.delete(first._id), agents.patch(second._id, { isDefault: true })]);
    expect(patched.status).toBe(200);
    expect(await agents.defaults()).toEqual([second._id]);
  });

  it('leaves exactly one default when the agent that becomes it is deleted', async () => {
    const [first, second] = [await agents.make(), await agents.make()];
    const [deleted, patched] = await Promise.all([remove(second._id), agents.patch(second._id, { isDefault: true })]);
    expect(deleted.status).toBe(200);
    expect([200, 404]).toContain(patched.status);
    expect(await agents.defaults()).toEqual([first._id]);
  });

  it('deletes the agent’s texts too, and its record an hour later', async () => {
    const { _id } = await agents.make();
    const texts = platform.app.get(AgentTextsService, { strict: false });
    await texts.record({
      workspaceId: new Types.ObjectId(agents.workspace.workspaceId),
      agentId: new Types.ObjectId(_id),
      purpose: 'draft',
      conversationId: null,
      model: 'test-model',
      promptVersion: 'draft-1',
      usage: { inputTokens: 31, outputTokens: 5 },
      cost: 0.5,
      subject: null,
      text: 'Hello',
      unused: [],
    });
    const listed = await agents.api.get(`/v1/agents/${_id}/texts`).expect(200);
    expect(dataOf<object[]>(listed)).toHaveLength(1);
    await agents.delete(_id);
    platform.clock.advance(MINUTE_MS);
    await platform.tick('agent-erasure');
    await platform.drain();
    expect([await kept('agent_texts'), await kept('agents')]).toEqual([0, 1]);
    platform.clock.advance(60 * MINUTE_MS);
    await platform.tick('agent-erasure');
    await platform.drain();
    expect(await kept('agents')).toBe(0);
  });

  it('answers 404 for an agent of another workspace and for an unknown id', async () => {
    const theirs = await (await Agents.of(platform)).make();
    for (const id of [theirs._id, UNKNOWN_ID, ...MALFORMED_IDS]) expectFormB(await remove(id), 404, 'NOT_FOUND');
  });
});
