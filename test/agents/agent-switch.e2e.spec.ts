import { expectFormA, expectFormB, inEachRow, type Platform, sharedPlatform } from '../harness';
import { auditedActions, dataOf, ISO, newMember } from '../workspaces/people';
import { Agents } from './agents';

const NEVER = { off: false, reason: null, changedBy: null, changedAt: null };

describe('the kill switch of a workspace’s agents', () => {
  let platform: Platform;
  let agents: Agents;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  beforeEach(async () => {
    agents = await Agents.of(platform);
  });
  afterAll(() => platform.close());

  const read = async () => dataOf(await agents.api.get('/v1/agents/switch').expect(200));
  const position = (body: object) => agents.api.put('/v1/agents/switch').send(body);

  it('leaves agents on until a person switches them off, and records who did it, when and why', async () => {
    expect(await read()).toEqual(NEVER);
    const member = await newMember(platform, agents.workspace);
    const turned = await platform.api
      .as(member.key)
      .in(agents.workspace.workspaceId)
      .put('/v1/agents/switch')
      .send({ off: true, reason: ' Wrong prices ' })
      .expect(200);
    expect(dataOf(turned)).toEqual({ off: true, reason: 'Wrong prices', changedBy: member.userId, changedAt: ISO });
    expect(await read()).toEqual(dataOf(turned));
    expect(dataOf(await position({ off: false }).expect(200))).toEqual({
      off: false,
      reason: null,
      changedBy: null,
      changedAt: ISO,
    });
    const actions = await auditedActions(platform, agents.workspace);
    expect(actions.filter((action) => action.startsWith('agents.'))).toEqual([
      'agents.switched_on',
      'agents.switched_off',
    ]);
  });

  it('changes once when the same state is requested repeatedly, in parallel or in sequence', async () => {
    await Promise.all(Array.from({ length: 4 }, () => position({ off: true, reason: 'Stop' }).expect(200)));
    await position({ off: true, reason: 'Stop' }).expect(200);
    const actions = await auditedActions(platform, agents.workspace);
    expect(actions.filter((action) => action === 'agents.switched_off')).toHaveLength(1);
  });

  it('applies to one workspace only', async () => {
    await position({ off: true }).expect(200);
    const other = await Agents.of(platform);
    expect(dataOf(await other.api.get('/v1/agents/switch').expect(200))).toEqual(NEVER);
  });

  it('refuses invalid input and names the field; rejects read-only keys', async () => {
    const cases: readonly (readonly [string, object])[] = [
      ['off', {}],
      ['off', { off: 'true' }],
      ['reason', { off: true, reason: 'x'.repeat(501) }],
      ['reason', { off: true, reason: '' }],
      ['until', { off: true, until: 'tomorrow' }],
    ];
    await inEachRow(cases, async ([field, body]) => expectFormB(await position(body), 400, 'VALIDATION_ERROR', field));
    const key = await platform.seed.workspaceKey(agents.workspace.workspaceId, ['read']);
    expectFormA(await platform.api.as(key).put('/v1/agents/switch').send({ off: true }), 403, 'permission');
    expect(await read()).toEqual(NEVER);
  });
});
