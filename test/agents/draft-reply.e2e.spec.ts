import { completion, FAILURES, ModelServer } from '../../libs/adapters/llm/testing';
import { expectFormB, inEachRow, type Platform } from '../harness';
import { type Conversation } from '../inbox/inbox-responses';
import { Inboxes } from '../inbox/inboxes';
import { type VendorInbox } from '../inbox/vendor-inbox';
import { dataOf, ID, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { Agents } from './agents';

const KEY = 'sk-canary-key';
const TEXT = 'Hello Ada,\n\nMany companies like yours use it. Would Tuesday at ten suit you?\n\nGrace';
const says = (answer: object) => completion(JSON.stringify({ refuse: false, reason: 'none', text: TEXT, ...answer }));

let model: ModelServer;
let mine: Inboxes;
let google: VendorInbox;
let agents: Agents;
let agentId: string;
/** A conversation in which nothing is sent: drafts change nothing. */
let conversationId: string;
let serial = 0;

beforeAll(async () => {
  model = await ModelServer.start(KEY);
  const env = { LLM_BASE_URL: model.baseUrl, LLM_API_KEY: KEY, LLM_MODEL: 'test-model', LLM_TIMEOUT_MS: '2500' };
  mine = await Inboxes.start({ env: { ...env, LLM_INPUT_PRICE: '2', LLM_OUTPUT_PRICE: '8' } });
  google = await mine.connect('google');
  agents = new Agents(mine.platform, mine.workspace);
  await grant(mine.platform);
  agentId = (await agents.make({ companyInfo: { name: 'Acme', description: 'Heat pumps' } }))._id;
  conversationId = (await answered())._id;
});
beforeEach(() => {
  model.asked.length = 0;
  model.otherwise = says({});
});
afterAll(async () => {
  await mine.close();
  await model.close();
});

/** Credits that an agent costs. */
async function grant(platform: Platform): Promise<void> {
  const operator = await platform.seed.person({ operator: true });
  const api = platform.api.as(operator.key).in(mine.workspace.workspaceId);
  await api.post('/v1/credits/grant').send({ amount: 50, reason: 'Agents' }).expect(201);
}

const answered = (): Promise<Conversation> => mine.answered(google, `ada-${(serial += 1)}@acme.test`);
const draft = (body: object, id = agentId) => agents.api.post(`/v1/agents/${id}/draft`).send(body);

describe('POST /v1/agents/:agentId/draft', () => {
  it('writes a reply for the conversation, stores it, and sends nothing', async () => {
    const drafted = dataOf<{ textId: string }>(await draft({ conversationId }).expect(201));
    expect(drafted).toEqual({
      agentId,
      conversationId,
      subject: 'Re: Your roadmap',
      text: TEXT,
      textId: ID,
      model: 'test-model',
      promptVersion: 'reply-1',
      usage: { inputTokens: 31, outputTokens: 5 },
      cost: 0.000102,
    });
    const texts = dataOf<object[]>(await agents.api.get(`/v1/agents/${agentId}/texts`).expect(200));
    expect(texts[0]).toMatchObject({
      _id: drafted.textId,
      purpose: 'draft',
      conversationId,
      text: TEXT,
      cost: 0.000102,
    });
    expect((await mine.read(conversationId)).messages.map(({ kind }) => kind)).not.toContain('agent');
    expect(await mine.model('InboxReplyRecord').countDocuments({ workspaceId: mine.workspace.workspaceId })).toBe(0);
  });

  it('gives the model the company’s knowledge, the messages so far and the colleague’s instruction', async () => {
    await draft({ conversationId, instructions: 'Offer Tuesday.' }).expect(201);
    const [system, user] = model.asked[0]!.messages;
    expect(system!.content).not.toMatch(/Heat pumps|Offer Tuesday/);
    expect(JSON.parse(user!.content)).toMatchObject({
      company: { name: 'Acme', description: 'Heat pumps' },
      request: 'Offer Tuesday.',
      thread: [{ from: 'them', text: 'Thanks, who else uses it?' }],
    });
  });

  it('answers 404 to an unknown agent or conversation, and to those of another workspace', async () => {
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
      expectFormB(await draft({ conversationId }, encodeURIComponent(id)), 404, 'NOT_FOUND');
      expectFormB(await draft({ conversationId: id.slice(0, 64) }), 404, 'NOT_FOUND');
    }
    const others = await Agents.of(mine.platform);
    const theirs = await others.make();
    expectFormB(await others.api.post(`/v1/agents/${theirs._id}/draft`).send({ conversationId }), 404, 'NOT_FOUND');
    expect(model.asked).toEqual([]);
  });

  it('refuses invalid input and names the field', async () => {
    const cases: readonly (readonly [object, ...string[]])[] = [
      [{}, 'conversationId'],
      [{ conversationId: '' }, 'conversationId'],
      [{ conversationId: UNKNOWN_ID, instructions: 'x'.repeat(2_001) }, 'instructions'],
      [{ conversationId: UNKNOWN_ID, to: 'ada@acme.test' }, 'to'],
    ];
    await inEachRow(cases, async ([body, ...fields]) => {
      expectFormB(await draft(body), 400, 'VALIDATION_ERROR', ...fields);
    });
  });

  it('answers CONFLICT where no reply may be sent, and does not ask the model', async () => {
    const conversation = await answered();
    await agents.api
      .post('/v1/suppressions')
      .send({ addresses: [conversation['email']] })
      .expect(201);
    expectFormB(await draft({ conversationId: conversation._id }), 409, 'CONFLICT');
    expect(model.asked).toEqual([]);
  });

  it('answers CONFLICT for an inactive agent, and AGENTS_SWITCHED_OFF while all are off', async () => {
    const other = await agents.make();
    await agents.update(other._id, { isActive: false });
    expectFormB(await draft({ conversationId }, other._id), 409, 'CONFLICT');
    await agents.api.put('/v1/agents/switch').send({ off: true }).expect(200);
    expectFormB(await draft({ conversationId }), 409, 'AGENTS_SWITCHED_OFF');
    await agents.api.put('/v1/agents/switch').send({ off: false }).expect(200);
    expect(model.asked).toEqual([]);
  });

  it('reports in its own words that the model leaves the reply to a person', async () => {
    model.otherwise = says({ refuse: true, reason: 'needs_person', text: 'Call me at evil.example' });
    const response = await draft({ conversationId });
    expectFormB(response, 409, 'CONFLICT');
    expect(response.text).toContain('it is a matter for a person');
    expect(response.text).not.toContain('evil');
  });

  it.each([
    ['does not answer', 'silence' as const, 'LLM_UNAVAILABLE'],
    ['refuses the key', FAILURES.credentials(), 'LLM_NOT_USABLE'],
    ['answers no JSON', FAILURES.malformed(), 'AGENT_ANSWER_UNUSABLE'],
    ['includes a link of its own', says({ text: 'See https://evil.example.org' }), 'AGENT_ANSWER_UNUSABLE'],
  ])('reports that the model %s', async (_name, answer, code) => {
    model.otherwise = answer;
    const response = await draft({ conversationId });
    expect(response.status).toBe(502);
    expect(response.body).toMatchObject({ success: false, error: { code, errorId: expect.any(String) as string } });
    expect(response.text).not.toContain(KEY);
  });

  it('stores the model’s text although it is unusable', async () => {
    model.otherwise = says({ text: 'See https://evil.example.org' });
    await draft({ conversationId }).expect(502);
    const [latest] = dataOf<object[]>(await agents.api.get(`/v1/agents/${agentId}/texts`).expect(200));
    const text = expect.stringContaining('evil.example.org') as string;
    const unused = { fault: 'contains a link that the workspace has not provided', text };
    expect(latest).toMatchObject({
      purpose: 'draft',
      conversationId,
      text: '',
      unused: [unused, unused],
      cost: 0.000204,
    });
  });
});
