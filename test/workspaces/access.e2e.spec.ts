import { expectFormA, type Person, type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { MALFORMED_IDS, newMember, UNKNOWN_ID } from './people';

type Method = 'get' | 'post' | 'patch' | 'delete';

/** Every route of a workspace, with a body that it would take, and who may not use it. */
const ROUTES: [Method, string, object | undefined, { member: boolean; admin: boolean; read: boolean }][] = [
  ['get', '', undefined, { member: true, admin: true, read: true }],
  ['patch', '', { name: 'New' }, { member: false, admin: true, read: false }],
  ['delete', '', undefined, { member: false, admin: false, read: false }],
  ['get', '/members', undefined, { member: true, admin: true, read: true }],
  ['post', '/members', { email: 'a@example.com' }, { member: false, admin: true, read: false }],
  ['patch', `/members/${UNKNOWN_ID}`, { role: 'admin' }, { member: false, admin: true, read: false }],
  ['delete', `/members/${UNKNOWN_ID}`, undefined, { member: true, admin: true, read: false }],
  ['get', '/invitations', undefined, { member: false, admin: true, read: false }],
  ['delete', `/invitations/${UNKNOWN_ID}`, undefined, { member: false, admin: true, read: false }],
];

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

describe.each(ROUTES)('%s /v1/workspaces/:workspaceId%s', (method, path, body, may) => {
  let workspace: SeededWorkspace;
  let other: SeededWorkspace;
  let member: Person;

  beforeAll(async () => {
    [workspace, other] = [await platform.seed.workspace(), await platform.seed.workspace()];
    member = await newMember(platform, workspace);
  });

  const ask = (key: string | undefined, workspaceId: string) => {
    const client = key === undefined ? platform.api : platform.api.as(key);
    const request = client[method](`/v1/workspaces/${workspaceId}${path}`);
    return body ? request.send(body) : request;
  };

  it('answers 401 Form A without a key, and the same to a key that does not exist', async () => {
    const answers = [
      undefined,
      '',
      'sk_nonsense',
      `sk_${'0'.repeat(64)}`,
      `sk_user_${'0'.repeat(64)}`,
      'x'.repeat(5000),
    ];
    const bodies = new Set<string>();
    for (const key of answers) {
      const response = await ask(key, workspace.workspaceId);
      expectFormA(response, 401);
      bodies.add(JSON.stringify(response.body));
    }
    expect(bodies.size).toBe(1);
  });

  it("answers 403 Form A to another workspace's key", async () => {
    expectFormA(await ask(other.key, workspace.workspaceId), 403, /permission/);
  });

  it('answers 403 Form A to a user who is no member', async () => {
    expectFormA(await ask(other.owner.key, workspace.workspaceId), 403, /permission/);
  });

  it('answers 404 Form A to an unknown id, whatever the key', async () => {
    for (const key of [workspace.key, workspace.owner.key, other.key]) {
      expectFormA(await ask(key, UNKNOWN_ID), 404, 'Workspace not found');
    }
  });

  it.each(MALFORMED_IDS)('answers 404 Form A to the malformed id %s', async (id) => {
    expectFormA(await ask(workspace.owner.key, id), 404, 'Workspace not found');
  });

  it('acts where the path says, whatever the header says', async () => {
    const client = platform.api.as(other.owner.key).in(other.workspaceId);
    expectFormA(await client[method](`/v1/workspaces/${workspace.workspaceId}${path}`).send(body), 403);
  });

  it(`is ${may.member ? 'open' : 'closed'} to a plain member`, async () => {
    const response = await ask(member.key, workspace.workspaceId);
    if (may.member) expect(response.status).not.toBe(403);
    else expectFormA(response, 403);
  });

  it(`is ${may.read ? 'open' : 'closed'} to a key that may only read`, async () => {
    for (const key of [
      await platform.seed.workspaceKey(workspace.workspaceId, ['read']),
      await platform.seed.userKey(workspace.owner.userId, { scopes: ['read'] }),
    ]) {
      const response = await ask(key, workspace.workspaceId);
      if (may.read) expect(response.status).toBe(200);
      else expectFormA(response, 403, /permission/);
    }
  });

  it(`is ${may.admin ? 'open' : 'closed'} to a workspace key, which acts as an admin`, async () => {
    const response = await ask(workspace.key, workspace.workspaceId);
    if (may.admin) expect(response.status).not.toBe(403);
    else expectFormA(response, 403, /permission/);
  });
});
