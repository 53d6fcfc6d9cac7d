import { type Response } from 'supertest';
import { expectFormA, type Person, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { MALFORMED_IDS, newMember, UNKNOWN_ID } from './people';

const OK = { success: true };

type Method = 'get' | 'post' | 'patch' | 'delete';

/**
 * Every route of a workspace, with a valid body and its status for a plain member, for a workspace key, which acts as
 * an admin, and for read-only keys. The ids in the paths do not exist.
 */
const ROUTES: [Method, string, object | undefined, { member: number; admin: number; read: number }][] = [
  ['get', '', undefined, { member: 200, admin: 200, read: 200 }],
  ['patch', '', { name: 'New' }, { member: 403, admin: 200, read: 403 }],
  ['delete', '', undefined, { member: 403, admin: 403, read: 403 }],
  ['get', '/members', undefined, { member: 200, admin: 200, read: 200 }],
  ['post', '/members', { email: 'a@example.com' }, { member: 403, admin: 201, read: 403 }],
  ['patch', `/members/${UNKNOWN_ID}`, { role: 'admin' }, { member: 403, admin: 404, read: 403 }],
  ['delete', `/members/${UNKNOWN_ID}`, undefined, { member: 404, admin: 404, read: 403 }],
  ['get', '/invitations', undefined, { member: 403, admin: 200, read: 403 }],
  ['delete', `/invitations/${UNKNOWN_ID}`, undefined, { member: 403, admin: 404, read: 403 }],
];

let platform: Platform;
/** Shared by all tests: no request changes it. */
let workspace: SeededWorkspace;
let other: SeededWorkspace;
let member: Person;
let readers: string[];

beforeAll(async () => {
  platform = await sharedPlatform();
  [workspace, other] = [await platform.seed.workspace(), await platform.seed.workspace()];
  member = await newMember(platform, workspace);
  readers = [
    await platform.seed.workspaceKey(workspace.workspaceId, ['read']),
    await platform.seed.userKey(workspace.owner.userId, { scopes: ['read'] }),
  ];
});
afterAll(() => platform.close());

describe.each(ROUTES)('%s /v1/workspaces/:workspaceId%s', (method, path, body, answer) => {
  const ask = (key: string | undefined, workspaceId: string) => {
    const client = key === undefined ? platform.api : platform.api.as(key);
    const request = client[method](`/v1/workspaces/${workspaceId}${path}`);
    return body ? request.send(body) : request;
  };

  it('answers 401 Form A without a key, and the same to an unknown key', async () => {
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

  it('answers 403 Form A to another workspace’s key', async () => {
    expectFormA(await ask(other.key, workspace.workspaceId), 403, /permission/);
  });

  it('answers 403 Form A to a user who is not a member', async () => {
    expectFormA(await ask(other.owner.key, workspace.workspaceId), 403, /permission/);
  });

  it('answers 404 Form A to an unknown id, with any key', async () => {
    for (const key of [workspace.key, workspace.owner.key, other.key]) {
      expectFormA(await ask(key, UNKNOWN_ID), 404, 'Workspace not found');
    }
  });

  it.each(MALFORMED_IDS)('answers 404 Form A to the malformed id %s', async (id) => {
    expectFormA(await ask(workspace.owner.key, id), 404, 'Workspace not found');
  });

  it('uses the workspace of the path, whatever the header says', async () => {
    const client = platform.api.as(other.owner.key).in(other.workspaceId);
    expectFormA(await client[method](`/v1/workspaces/${workspace.workspaceId}${path}`).send(body), 403);
  });

  it(`answers ${answer.member} to a plain member`, async () => {
    expectAnswer(await ask(member.key, workspace.workspaceId), answer.member);
  });

  it(`answers ${answer.read} to a read-only key`, async () => {
    for (const key of readers) expectAnswer(await ask(key, workspace.workspaceId), answer.read);
  });

  it(`answers ${answer.admin} to a workspace key, which acts as an admin`, async () => {
    expectAnswer(await ask(workspace.key, workspace.workspaceId), answer.admin);
  });
});

function expectAnswer(response: Response, status: number): void {
  if (status === 403) expectFormA(response, status);
  else if (status === 404) expectFormA(response, status, /^(Member|Invitation) not found$/);
  else expect({ status: response.status, body: response.body as unknown }).toMatchObject({ status, body: OK });
}
