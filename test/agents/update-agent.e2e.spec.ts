import { expectFormA, expectFormB, inEachRow, type Platform, sharedPlatform } from '../harness';
import { auditedActions, ISO, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { type Agent, Agents, COST, HOURS } from './agents';

describe('PATCH /v1/agents/:agentId', () => {
  let platform: Platform;
  let agents: Agents;
  let made: Agent;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  beforeEach(async () => {
    agents = await Agents.of(platform);
    made = await agents.make({
      companyInfo: { name: 'Acme', domain: 'acme.example' },
      persona: { tone: 'friendly', role: 'Seller' },
      autonomousMode: { enabled: true, dailyLimit: 5, workingHours: HOURS, stopWords: ['refund'] },
    });
    platform.clock.advance(1_000);
  });
  afterAll(() => platform.close());

  const audited = async () =>
    (await auditedActions(platform, agents.workspace)).filter((action) => action === 'agent.updated');

  it('changes the given fields, leaves the rest, and costs nothing', async () => {
    const updated = await agents.update(made._id, {
      name: ' Otto ',
      persona: { tone: 'dry' },
      companyInfo: { name: '' },
    });
    expect(updated).toEqual({
      ...made,
      name: 'Otto',
      persona: { ...made.persona, tone: 'dry' },
      companyInfo: { ...made.companyInfo, name: '' },
      updatedAt: ISO,
    });
    expect(updated.updatedAt > made.updatedAt).toBe(true);
    expect(await agents.read(made._id)).toEqual(updated);
    expect(await audited()).toHaveLength(1);
    // Only the creation was charged.
    expect(await agents.balance()).toBe(100 - COST);
  });

  it('clears fields that are null', async () => {
    await agents.update(made._id, {
      persona: null,
      companyInfo: { domain: null },
      autonomousMode: { workingHours: null, dailyLimit: null, stopWords: null },
      followupSettings: null,
    });
    expect(await agents.read(made._id)).toMatchObject({
      persona: { tone: '', role: '' },
      companyInfo: { name: 'Acme', domain: '' },
    });
    expect(await agents.details(made._id)).toMatchObject({
      website: null,
      autonomousMode: { enabled: true, workingHours: null, dailyLimit: 20, stopWords: [] },
    });
  });

  it('changes nothing and writes no audit entry when no value differs; keeps both of two parallel changes', async () => {
    const { name, companyInfo, persona, isActive } = made;
    const { autonomousMode, followupSettings } = await agents.details(made._id);
    const same = { name, companyInfo, persona, isActive, isDefault: true, autonomousMode, followupSettings };
    for (const body of [{}, same]) expect(await agents.update(made._id, body)).toEqual(made);
    expect(await audited()).toEqual([]);
    await Promise.all([
      agents.update(made._id, { name: 'Otto' }),
      agents.update(made._id, { persona: { tone: 'dry' } }),
    ]);
    expect(await agents.read(made._id)).toMatchObject({ name: 'Otto', persona: { tone: 'dry', role: 'Seller' } });
  });

  it('leaves exactly one default when several agents are made it in parallel', async () => {
    const others = await Promise.all([agents.make(), agents.make(), agents.make()]);
    await Promise.all(others.map(({ _id }) => agents.update(_id, { isDefault: true })));
    expect(await agents.defaults()).toHaveLength(1);
  });

  it('removes the default from an agent only when another active agent becomes it', async () => {
    expectFormB(await agents.patch(made._id, { isDefault: false }), 409, 'CONFLICT');
    const other = await agents.make();
    await agents.update(other._id, { isDefault: false });
    expect(await agents.defaults()).toEqual([made._id]);
    // An inactive agent becomes the default only if it is activated too.
    await agents.update(other._id, { isActive: false });
    expectFormB(await agents.patch(other._id, { isDefault: true }), 409, 'CONFLICT');
    expect(await agents.update(other._id, { isDefault: true, isActive: true })).toMatchObject({ isDefault: true });
    expect(await agents.defaults()).toEqual([other._id]);
  });

  it('passes the default on to the oldest active agent when the default is deactivated', async () => {
    platform.clock.advance(1_000);
    const older = await agents.make();
    platform.clock.advance(1_000);
    await agents.make();
    expect(await agents.update(made._id, { isActive: false })).toMatchObject({ isActive: false, isDefault: false });
    expect(await agents.defaults()).toEqual([older._id]);
    await agents.update(made._id, { isActive: true });
    expect(await agents.defaults()).toEqual([older._id]);
  });

  it('keeps the only agent as default when it is deactivated, until another agent exists', async () => {
    expect(await agents.update(made._id, { isActive: false })).toMatchObject({ isActive: false, isDefault: true });
    const other = await agents.make();
    expect(other.isDefault).toBe(true);
    expect(await agents.defaults()).toEqual([other._id]);
  });

  it('refuses invalid input, names the field and changes nothing', async () => {
    const cases: readonly (readonly [string, object])[] = [
      ['name', { name: '' }],
      ['name', { name: null }],
      ['isActive', { isActive: 'no' }],
      ['companyUrl', { companyUrl: 'ftp://acme.example/' }],
      ['autonomousMode.labels', { autonomousMode: { labels: ['unsubscribe_request'] } }],
      ['autonomousMode.workingHours.endTime', { autonomousMode: { workingHours: { ...HOURS, endTime: '09:00' } } }],
      ['followupSettings.delayDays', { followupSettings: { delayDays: 0 } }],
      ['userId', { userId: 'x' }],
      ['revision', { revision: 7 }],
    ];
    await inEachRow(cases, async ([field, body]) => {
      expectFormB(await agents.patch(made._id, body), 400, 'VALIDATION_ERROR', field);
    });
    expect(await agents.read(made._id)).toEqual(made);
  });

  it('answers 404 for an agent of another workspace and for an unknown id, and rejects read-only keys', async () => {
    const theirs = await (await Agents.of(platform)).make();
    for (const id of [theirs._id, UNKNOWN_ID, ...MALFORMED_IDS]) {
      expectFormB(await agents.patch(id, { name: 'Mine' }), 404, 'NOT_FOUND');
    }
    const key = await platform.seed.workspaceKey(agents.workspace.workspaceId, ['read']);
    const patched = await platform.api.as(key).patch(`/v1/agents/${made._id}`).send({ name: 'Otto' });
    expectFormA(patched, 403, 'permission');
  });
});
