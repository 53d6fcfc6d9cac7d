import { expectFormA, expectFormB, type Person, type Platform, startPlatform } from '../harness';
import { auditedActions, dataOf, ID, ISO } from './people';

describe('POST /v1/workspaces', () => {
  let platform: Platform;
  let person: Person;

  beforeAll(async () => {
    platform = await startPlatform({
      env: { MAX_WORKSPACES_PER_USER: '3', NEW_WORKSPACE_CREDITS: '25', DEFAULT_MAX_MEMBERS: '7' },
    });
  });
  beforeEach(async () => {
    person = await platform.seed.person();
  });
  afterAll(() => platform.close());

  const post = (body: object, key = person.key) => platform.api.as(key).post('/v1/workspaces').send(body);

  it('makes the caller its owner and answers the whole workspace with 201', async () => {
    const response = await post({ name: '  Acme  ' });
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 201,
      body: {
        success: true,
        data: {
          id: ID,
          name: 'Acme',
          ownerId: person.userId,
          members: [{ userId: person.userId, role: 'owner', joinedAt: ISO }],
          settings: { allowMemberInvites: false, defaultRole: 'member' },
          limits: { maxMembers: 7, maxCampaigns: 1000, maxLeads: 1_000_000, maxMailboxes: 1000 },
          createdAt: ISO,
        },
      },
    });
  });

  it('becomes the default of a user without one, gets its credits, and is in the audit log', async () => {
    const { id } = dataOf<{ id: string }>(await post({ name: 'First' }));
    await post({ name: 'Second' }).expect(201);
    const balance = await platform.api.as(person.key).get('/v1/credits/balance');
    expect(dataOf(balance)).toMatchObject({ balance: 25 });
    const workspace = { workspaceId: id, name: 'First', owner: person, key: '' };
    expect(await auditedActions(platform, workspace)).toEqual(['credits.granted', 'workspace.created']);
  });

  it('refuses invalid input with VALIDATION_ERROR, names the field and creates nothing', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: '   ' }, 'name'],
      [{ name: null }, 'name'],
      [{ name: 5 }, 'name'],
      [{ name: ['x'] }, 'name'],
      [{ name: { $ne: null } }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ name: 'x', ownerId: '0123456789abcdef01234567' }, 'ownerId'],
      [{ name: 'x', limits: { maxMembers: 1000 } }, 'limits'],
      [{ name: 'x', members: [] }, 'members'],
      [{ name: 'x', settings: {} }, 'settings'],
    ];
    for (const [body, field] of cases) {
      expectFormB(await post(body), 400, 'VALIDATION_ERROR', field);
      const list = await platform.api.as(person.key).get('/v1/workspaces');
      expect(dataOf(list)).toEqual([]);
    }
  });

  it('answers 403 Form A to a workspace key', async () => {
    const { key } = await platform.seed.workspace({ owner: person });
    expectFormA(await post({ name: 'x' }, key), 403, /permission/);
  });

  it('answers 403 Form A to a platform key without the admin scope', async () => {
    const key = await platform.seed.userKey(person.userId, { scopes: ['read', 'write'] });
    expectFormA(await post({ name: 'x' }, key), 403, /permission/);
  });

  it('answers LIMIT_EXCEEDED beyond the limit of a user, also to parallel requests', async () => {
    await post({ name: 'one' }).expect(201);
    const responses = await Promise.all(['two', 'three', 'four', 'five'].map((name) => post({ name })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expectFormB(response, 409, 'LIMIT_EXCEEDED');
      expect((response.body as { error: { message: string } }).error.message).toContain('3');
    }
  });
});
