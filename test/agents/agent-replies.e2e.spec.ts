import { getModelToken } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { waitingReply } from '../../libs/domain/agents/testing';
import { expectFormB, inEachRow, type Platform, sharedPlatform } from '../harness';
import { auditedActions, dataOf, ID, ISO, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { Agents } from './agents';
import { type AgentReply, AgentReplies } from './replies';

type Stored = ReturnType<typeof waitingReply>;

let platform: Platform;
let agents: Agents;
let replies: AgentReplies;
let agentId: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  agents = await Agents.of(platform);
  replies = new AgentReplies(agents);
  agentId = (await agents.make())._id;
});
afterAll(() => platform.close());

const newId = () => new Types.ObjectId().toHexString();
/** Stores a reply and returns its id. */
async function stored(fields: Partial<Stored> = {}, of = agents): Promise<string> {
  const model = platform.app.get<Model<Stored>>(getModelToken('AgentReplyRecord'), { strict: false });
  const { workspaceId } = of.workspace;
  const names = { workspaceId, agentId, conversationId: newId(), leadId: newId() };
  return (await model.create(waitingReply(names, fields)))._id.toHexString();
}

describe('GET /v1/agents/replies', () => {
  it('lists the replies that agents write, latest first, filtered by state and agent', async () => {
    const first = await stored();
    const second = await stored({ state: 'failed', cause: 'model', reason: 'No answer', dueAt: null });
    const ids = async (query = '') => (await replies.list(query)).map(({ _id }) => _id);
    expect(await ids()).toEqual([second, first]);
    expect(await ids('state=failed')).toEqual([second]);
    expect(await ids(`agentId=${agentId}`)).toEqual([second, first]);
    expect(await ids(`agentId=${UNKNOWN_ID}`)).toEqual([]);
    expect(await ids('agentId=nobody')).toEqual([]);
    expect(await ids('limit=1')).toEqual([second]);
  });

  it('refuses an invalid list query and names the field', async () => {
    const cases: readonly string[] = ['state=sending', 'limit=0', 'cursor=x', 'agentId='];
    for (const query of cases) {
      expectFormB(await agents.api.get(`/v1/agents/replies?${query}`), 400, 'VALIDATION_ERROR', query.split('=')[0]!);
    }
  });

  it('shows nothing of another workspace', async () => {
    const id = await stored();
    const others = new AgentReplies(await Agents.of(platform));
    expect(await others.list()).toEqual([]);
    for (const ask of [others.get(id), others.approve(id), others.reject(id), others.edit(id, { text: 'x' })]) {
      expectFormB(await ask, 404, 'NOT_FOUND');
    }
  });
});

describe('GET /v1/agents/replies/:agentReplyId', () => {
  it('has every field', async () => {
    expect(dataOf(await replies.get(await stored()).expect(200))).toEqual({
      _id: ID,
      agentId,
      conversationId: ID,
      leadId: ID,
      email: 'ada@leads.example',
      kind: 'reply',
      position: 0,
      answeredId: ID,
      label: 'positive',
      state: 'awaiting_approval',
      cause: null,
      reason: null,
      dueAt: ISO,
      expiresAt: ISO,
      attempts: 1,
      text: 'Hello Ada,\n\nTuesday at ten?\n\nGrace',
      textId: null,
      model: 'test-model',
      promptVersion: 'reply-1',
      cost: 0.5,
      decidedBy: null,
      decidedAt: null,
      replyId: null,
      handedAt: null,
      sentAt: null,
      createdAt: ISO,
      updatedAt: ISO,
    });
  });

  it('answers 404 to an unknown id', async () => {
    const cases: readonly string[] = [UNKNOWN_ID, ...MALFORMED_IDS];
    for (const id of cases) {
      expectFormB(await replies.get(encodeURIComponent(id)), 404, 'NOT_FOUND');
    }
  });
});

describe('a decision about an agent reply', () => {
  it('approves the reply and records who approved it', async () => {
    const member = await newMember(platform, agents.workspace);
    const api = platform.api.as(member.key).in(agents.workspace.workspaceId);
    const id = await stored();
    const approved = dataOf<AgentReply>(await new AgentReplies({ api }).approve(id).expect(200));
    expect(approved).toMatchObject({
      state: 'scheduled',
      decidedBy: { kind: 'user', userId: member.userId },
      decidedAt: ISO,
    });
    expect(dataOf(await replies.approve(id).expect(200))).toEqual(approved);
    expect(await auditedActions(platform, agents.workspace)).toContain('agent_reply.approved');
  });

  it('rejects the reply, with a reason', async () => {
    const id = await stored();
    const rejected = { state: 'rejected', cause: 'person', reason: 'I call her', dueAt: null };
    expect(dataOf(await replies.reject(id, { reason: ' I call her ' }).expect(200))).toMatchObject(rejected);
    expect(dataOf(await replies.reject(id).expect(200))).toMatchObject(rejected);
    expectFormB(await replies.approve(id), 409, 'CONFLICT');
    expect(await auditedActions(platform, agents.workspace)).toContain('agent_reply.rejected');
  });

  it('changes the text of the reply and nothing else', async () => {
    const id = await stored();
    const edited = dataOf<AgentReply>(await replies.edit(id, { text: ' I call you. ' }).expect(200));
    expect(edited).toMatchObject({ state: 'awaiting_approval', text: 'I call you.', decidedAt: null });
    expect(await auditedActions(platform, agents.workspace)).toContain('agent_reply.edited');
  });

  it('refuses an invalid text and names the field', async () => {
    const id = await stored();
    const cases: readonly (readonly [object, string])[] = [
      [{}, 'text'],
      [{ text: ' ' }, 'text'],
      [{ text: 'x'.repeat(4_001) }, 'text'],
      [{ text: 'x', state: 'sent' }, 'state'],
    ];
    await inEachRow(cases, async ([body, field]) =>
      expectFormB(await replies.edit(id, body), 400, 'VALIDATION_ERROR', field),
    );
  });

  it('is refused when the reply does not await approval', async () => {
    const model = platform.app.get<Model<Stored>>(getModelToken('AgentReplyRecord'), { strict: false });
    const id = await stored();
    const of = { workspaceId: new Types.ObjectId(agents.workspace.workspaceId), _id: new Types.ObjectId(id) };
    for (const state of [
      'planned',
      'writing',
      'scheduled',
      'handed',
      'sent',
      'cancelled',
      'failed',
      'expired',
    ] as const) {
      await model.updateOne(of, { $set: { state } });
      for (const ask of [replies.approve(id), replies.reject(id), replies.edit(id, { text: 'x' })]) {
        const { status, body } = await ask;
        expect({ state, status, body: body as object }).toMatchObject({
          state,
          status: 409,
          body: { success: false, error: { code: 'CONFLICT' } },
        });
      }
    }
  });
});
