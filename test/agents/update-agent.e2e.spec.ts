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

  it('changes what is given and leaves the rest, for nothing', async () => {
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
    // The making, and nothing since.
    expect(await agents.balance()).toBe(100 - COST);
  });

  it('clears what is null', async () => {
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

  it('changes nothing, and says nothing to the audit log, when nothing differs; takes both of two changes at once', async () => {
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

  it('leaves exactly one default when several are made it at once', async () => {
    const others = await Promise.all([agents.make(), agents.make(), agents.make()]);
    await Promise.all(others.map(({ _id }) => agents.update(_id, { isDefault: true })));
    expect(await agents.defaults()).toHaveLength(1);
  });

  it('does not take the default from one without giving it to another, an active one', async () => {
    expectFormB(await agents.patch(made._id, { isDefault: false }), 409, 'CONFLICT');
    const other = await agents.make();
    await agents.update(other._id, { isDefault: false });
    expect(await agents.defaults()).toEqual([made._id]);
    // An inactive one becomes it only with that.
    await agents.update(other._id, { isActive: false });
    expectFormB(await agents.patch(other._id, { isDefault: true }), 409, 'CONFLICT');
    expect(await agents.update(other._id, { isDefault: true, isActive: true })).toMatchObject({ isDefault: true });
    expect(await agents.defaults()).toEqual([other._id]);
  });

  it('passes the default on to the oldest active one when it is switched off', async () => {
    platform.clock.advance(1_000);
    const older = await agents.make();
    platform.clock.advance(1_000);
    await agents.make();
    expect(await agents.update(made._id, { isActive: false })).toMatchObject({ isActive: false, isDefault: false });
    expect(await agents.defaults()).toEqual([older._id]);
    await agents.update(made._id, { isActive: true });
    expect(await agents.defaults()).toEqual([older._id]);
  });

  it('leaves the default with the only one when that is switched off, until another one is there', async () => {
    expect(await agents.update(made._id, { isActive: false })).toMatchObject({ isActive: false, isDefault: true });
    const other = await agents.make();
    expect(other.isDefault).toBe(true);
    expect(await agents.defaults()).toEqual([other._id]);
  });

  it('refuses what it cannot use, names it and changes nothing', async () => {
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

  it('knows no agent of another workspace, nor one that is none, and is not for keys that may only read', async () => {
    const theirs = await (await Agents.of(platform)).make();
    for (const id of [theirs._id, UNKNOWN_ID, ...MALFORMED_IDS]) {
      expectFormB(await agents.patch(id, { name: 'Mine' }), 404, 'NOT_FOUND');
    }
    const key = await platform.seed.workspaceKey(agents.workspace.workspaceId, ['read']);
    const patched = await platform.api.as(key).patch(`/v1/agents/${made._id}`).send({ name: 'Otto' });
    expectFormA(patched, 403, 'permission');
  });
});
