import { getConnectionToken } from '@nestjs/mongoose';
import { rounds } from '@testing';
import { type Connection } from 'mongoose';
import { newAgent } from '../../libs/domain/agents/testing';
import { systemScope } from '@domain/access';
import { CreditsService } from '@domain/credits';
import { expectFormA, expectFormB, type Platform, sharedPlatform } from '../harness';
import { auditedActions, dataOf, ID, ISO, newMember } from '../workspaces/people';
import { type Agent, Agents, COST, HOURS } from './agents';

const text = (length: number) => 'x'.repeat(length);

let platform: Platform;
let agents: Agents;

beforeAll(async () => {
  platform = await sharedPlatform();
});
afterAll(() => platform.close());

describe('POST /v1/agents', () => {
  /** A workspace without agents. */
  beforeEach(async () => {
    agents = await Agents.of(platform);
  });

  it('creates an agent for 10 credits and answers 201 with exactly the documented fields', async () => {
    const { workspaceId, owner } = agents.workspace;
    const response = await agents.post({
      name: ' Iris ',
      companyInfo: { name: 'Acme', description: 'Heat pumps', domain: 'https://Acme.example/about' },
      persona: { tone: 'friendly', role: 'Seller', communicationStyle: 'short', customInstructions: 'No jargon' },
      autonomousMode: { enabled: true, approval: 'auto' },
      followupSettings: { enabled: true },
    });
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 201,
      body: {
        success: true,
        data: {
          _id: ID,
          userId: owner.userId,
          workspaceId,
          name: 'Iris',
          companyInfo: { name: 'Acme', description: 'Heat pumps', domain: 'acme.example' },
          persona: { tone: 'friendly', role: 'Seller', communicationStyle: 'short', customInstructions: 'No jargon' },
          isDefault: true,
          isActive: true,
          createdAt: ISO,
          updatedAt: ISO,
        },
      },
    });
    const { _id } = dataOf<Agent>(response);
    expect(await agents.read(_id)).toEqual(dataOf(response));
    expect(await auditedActions(platform, agents.workspace)).toContain('agent.created');
    // The 10 credits are charged once, under an operation of their own.
    expect(await agents.balance()).toBe(100 - COST);
    const entries = dataOf<{ operation: string; amount: number }[]>(await agents.api.get('/v1/credits/ledger'));
    expect(entries.filter(({ operation }) => operation === `agent:${_id}`)).toMatchObject([{ kind: 'charge' }]);
  });

  it('requires only a name, and stores the settings for automatic replies', async () => {
    const made = await agents.make();
    expect(made).toMatchObject({
      companyInfo: { name: '', description: '', domain: '' },
      persona: { tone: '', role: '', communicationStyle: '', customInstructions: '' },
    });
    expect(await agents.details(made._id)).toEqual({
      agentId: made._id,
      website: null,
      autonomousMode: {
        enabled: false,
        labels: ['positive'],
        delayMinutes: 10,
        dailyLimit: 20,
        approval: 'required',
        workingHours: null,
        stopWords: [],
      },
      followupSettings: { enabled: false, maxFollowups: 2, delayDays: 3 },
      training: null,
    });

    const autonomousMode = {
      enabled: true,
      labels: ['positive', 'neutral', 'negative', 'other'],
      delayMinutes: 0,
      dailyLimit: 500,
      approval: 'auto',
      workingHours: HOURS,
      stopWords: ['Lawyer', ' refund now '],
    };
    const followupSettings = { enabled: true, maxFollowups: 10, delayDays: 90 };
    const { _id } = await agents.make({ autonomousMode, followupSettings, companyUrl: 'acme.example' });
    expect(await agents.details(_id)).toEqual({
      agentId: _id,
      website: 'acme.example',
      autonomousMode: { ...autonomousMode, stopWords: ['lawyer', 'refund now'] },
      followupSettings,
      training: { status: 'pending', completedAt: null },
    });
    expect((await agents.read(_id)).companyInfo.domain).toBe('acme.example');
  });

  it('is refused with too few credits, and nothing is created', async () => {
    const poor = await Agents.of(platform, COST - 1);
    expectFormB(await poor.post({ name: 'Iris' }), 402, 'INSUFFICIENT_CREDITS');
    expect(await poor.list()).toEqual([]);
    expect(await poor.balance()).toBe(COST - 1);
    expect(await auditedActions(platform, poor.workspace)).not.toContain('agent.created');
  });

  it('creates only as many agents as the credits pay for when many requests race, and the ledger agrees', async () => {
    const racing = await Agents.of(platform, 3 * COST + 5);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => (await racing.post({ name: `Agent ${at}` })).status),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(3);
    expect(statuses.filter((status) => status === 402)).toHaveLength(5);
    expect(await racing.list()).toHaveLength(3);
    expect(await racing.balance()).toBe(5);
    const credits = platform.app.get(CreditsService, { strict: false });
    expect(await credits.verify(systemScope(racing.workspace.workspaceId))).toMatchObject({ ok: true, problems: [] });
  });

  it('creates as many agents as the limit allows when many requests race, refuses the others with the reason, and allows a new one after a deletion', async () => {
    const many = rounds(60, 12);
    const racing = await Agents.of(platform, 60 * COST);
    const there = Array.from({ length: 60 - many }, (_, at) =>
      newAgent(racing.workspace.workspaceId, { isDefault: at === 0 }),
    );
    await platform.app.get<Connection>(getConnectionToken(), { strict: false }).model('AgentRecord').insertMany(there);
    const answers = await Promise.all(Array.from({ length: many }, (_, at) => racing.post({ name: `Agent ${at}` })));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(10);
    for (const answer of refused) expectFormB(answer, 409, 'LIMIT_EXCEEDED');
    expect(await racing.balance()).toBe((60 - many + 10) * COST);
    expect(await racing.defaults()).toHaveLength(1);
    expectFormB(await racing.post({ name: 'One more' }), 409, 'LIMIT_EXCEEDED');
    expect(await racing.balance()).toBe((60 - many + 10) * COST);
    await racing.delete((await racing.list('limit=1'))[0]!._id);
    await racing.make({ name: 'In its place' });
  });

  it('makes the first agent the default, exactly one of two parallel ones, and another one on request', async () => {
    const [one, other] = await Promise.all([agents.make({ isDefault: false }), agents.make({ isDefault: false })]);
    expect(await agents.defaults()).toHaveLength(1);
    const third = await agents.make();
    expect(third.isDefault).toBe(false);
    expect([one._id, other._id]).toContain((await agents.defaults())[0]);

    // Another agent becomes the default on request.
    const fourth = await agents.make({ isDefault: true });
    expect(fourth.isDefault).toBe(true);
    expect(await agents.defaults()).toEqual([fourth._id]);
  });

  it('makes exactly one agent the default when many parallel requests ask for it', async () => {
    await Promise.all(Array.from({ length: 5 }, () => agents.make({ isDefault: true })));
    expect(await agents.list()).toHaveLength(5);
    expect(await agents.defaults()).toHaveLength(1);
  });

  it('records the creator: the user of the key, or the owner for a workspace key; rejects a read-only key', async () => {
    const { workspaceId, owner } = agents.workspace;
    const member = await newMember(platform, agents.workspace);
    const made = await platform.api.as(member.key).in(workspaceId).post('/v1/agents').send({ name: 'Hers' });
    expect(dataOf(made)).toMatchObject({ userId: member.userId });
    expect(await agents.make()).toMatchObject({ userId: owner.userId });
    // Read-only keys may not create agents.
    const key = await platform.seed.workspaceKey(agents.workspace.workspaceId, ['read']);
    expectFormA(await platform.api.as(key).post('/v1/agents').send({ name: 'Iris' }), 403, 'permission');
  });

  it('runs once for one Idempotency-Key', async () => {
    const again = () => agents.post({ name: 'Iris' }).set('Idempotency-Key', 'one-agent').expect(201);
    expect(dataOf(await again())).toEqual(dataOf(await again()));
    expect(await agents.balance()).toBe(100 - COST);
  });
});

describe('the input of POST /v1/agents', () => {
  beforeAll(async () => {
    agents = await Agents.of(platform);
  });

  it.each<[string, object]>([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: '   ' }],
    ['name', { name: null }],
    ['name', { name: 7 }],
    ['name', { name: text(201) }],
    ['companyInfo', { companyInfo: 'Acme' }],
    ['companyInfo', { companyInfo: [] }],
    ['companyInfo.name', { companyInfo: { name: text(201) } }],
    ['companyInfo.description', { companyInfo: { description: text(4_001) } }],
    ['companyInfo.domain', { companyInfo: { domain: 'no website' } }],
    ['companyInfo.domain', { companyInfo: { domain: 7 } }],
    ['companyInfo.size', { companyInfo: { size: 7 } }],
    ['companyUrl', { companyUrl: '' }],
    ['companyUrl', { companyUrl: 'http://127.0.0.1/' }],
    ['companyUrl', { companyUrl: 'file:///etc/passwd' }],
    ['companyUrl', { companyUrl: `https://acme.example/${text(2_048)}` }],
    ['persona', { persona: 'nice' }],
    ['persona.tone', { persona: { tone: text(201) } }],
    ['persona.role', { persona: { role: text(201) } }],
    ['persona.communicationStyle', { persona: { communicationStyle: text(1_001) } }],
    ['persona.customInstructions', { persona: { customInstructions: text(4_001) } }],
    ['persona.customInstructions', { persona: { customInstructions: 'half a \ud800' } }],
    ['autonomousMode', { autonomousMode: true }],
    ['autonomousMode.enabled', { autonomousMode: { enabled: 'yes' } }],
    ['autonomousMode.labels', { autonomousMode: { labels: [] } }],
    ['autonomousMode.labels', { autonomousMode: { labels: ['positive', 'positive'] } }],
    ['autonomousMode.labels', { autonomousMode: { labels: ['unsubscribe_request'] } }],
    ['autonomousMode.labels', { autonomousMode: { labels: ['positive', 'out_of_office'] } }],
    ['autonomousMode.delayMinutes', { autonomousMode: { delayMinutes: -1 } }],
    ['autonomousMode.delayMinutes', { autonomousMode: { delayMinutes: 10_081 } }],
    ['autonomousMode.dailyLimit', { autonomousMode: { dailyLimit: 0 } }],
    ['autonomousMode.dailyLimit', { autonomousMode: { dailyLimit: 501 } }],
    ['autonomousMode.approval', { autonomousMode: { approval: 'maybe' } }],
    ['autonomousMode.workingHours', { autonomousMode: { workingHours: 'always' } }],
    ['autonomousMode.workingHours.timezone', { autonomousMode: { workingHours: { ...HOURS, timezone: 'Mars/X' } } }],
    ['autonomousMode.workingHours.startTime', { autonomousMode: { workingHours: { ...HOURS, startTime: '9:00' } } }],
    ['autonomousMode.workingHours.endTime', { autonomousMode: { workingHours: { ...HOURS, endTime: '24:00' } } }],
    ['autonomousMode.workingHours.endTime', { autonomousMode: { workingHours: { ...HOURS, endTime: '09:00' } } }],
    ['autonomousMode.workingHours.workingDays', { autonomousMode: { workingHours: { ...HOURS, workingDays: [] } } }],
    ['autonomousMode.workingHours.workingDays', { autonomousMode: { workingHours: { ...HOURS, workingDays: [8] } } }],
    ['autonomousMode.stopWords', { autonomousMode: { stopWords: 'refund' } }],
    ['autonomousMode.stopWords', { autonomousMode: { stopWords: [' '] } }],
    ['autonomousMode.stopWords', { autonomousMode: { stopWords: [text(101)] } }],
    ['autonomousMode.stopWords', { autonomousMode: { stopWords: Array.from({ length: 101 }, (_, at) => `w${at}`) } }],
    ['followupSettings.enabled', { followupSettings: { enabled: 1 } }],
    ['followupSettings.maxFollowups', { followupSettings: { maxFollowups: 0 } }],
    ['followupSettings.maxFollowups', { followupSettings: { maxFollowups: 11 } }],
    ['followupSettings.delayDays', { followupSettings: { delayDays: 0 } }],
    ['followupSettings.delayDays', { followupSettings: { delayDays: 91 } }],
    ['isDefault', { isDefault: 'yes' }],
    ['isDefault', { isDefault: null }],
    // Unknown to this API, or not settable by clients.
    ['calendarSettings', { calendarSettings: {} }],
    ['bookingUrl', { bookingUrl: 'https://cal.example.com/' }],
    ['selectedPages', { selectedPages: [] }],
    ['isActive', { isActive: false }],
    ['userId', { userId: 'x' }],
    ['workspaceId', { workspaceId: 'x' }],
    ['credits', { credits: 0 }],
  ])('refuses an invalid %s: %j', async (field, body) => {
    const isNamed = field === 'name' || Object.hasOwn(body, 'name');
    expectFormB(await agents.post(isNamed ? body : { name: 'Iris', ...body }), 400, 'VALIDATION_ERROR', field);
  });

  it('costs nothing when it is refused', async () => {
    expect(await agents.balance()).toBe(100);
  });

  it.each<object>([
    { name: text(200) },
    { companyInfo: { name: text(200), description: text(4_000) } },
    { persona: { tone: text(200), role: text(200), communicationStyle: text(1_000) } },
    { persona: { customInstructions: text(4_000) } },
    { autonomousMode: { delayMinutes: 10_080, stopWords: Array.from({ length: 100 }, (_, at) => `w${at}`) } },
    { autonomousMode: { workingHours: { ...HOURS, startTime: '22:00', endTime: '06:00' }, stopWords: [text(100)] } },
    { autonomousMode: { workingHours: { ...HOURS, startTime: '00:00', endTime: '23:59' } } },
    { companyInfo: null, companyUrl: null, persona: null, autonomousMode: null, followupSettings: null },
  ])('accepts values at the limits: %#', async (body) => {
    await agents.make(body);
  });
});
