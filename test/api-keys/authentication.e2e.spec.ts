import { expectFormA, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf } from '../workspaces/people';
import { type ApiKey, newKey, statusOf } from './keys';

describe('the authentication by API key', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  it('gives the same answer to every invalid key', async () => {
    const revoked = await newKey(platform, workspace.owner.key);
    await platform.api.as(workspace.owner.key).delete(`/v1/api-keys/${revoked._id}`).expect(200);
    const expired = await newKey(platform, workspace.owner.key, {
      expiresAt: new Date(platform.clock.now().getTime() + 1000).toISOString(),
    });
    platform.clock.advance(1000);
    const gone = await platform.seed.workspace();
    await platform.api.as(gone.owner.key).delete(`/v1/workspaces/${gone.workspaceId}`).expect(200);
    const wrong = [
      '',
      'sk_',
      'sk_user_',
      `${workspace.key}0`,
      workspace.key.toUpperCase(),
      workspace.key.replace('sk_', 'sk_user_'),
      'x'.repeat(300),
    ];
    const answers = new Set<string>();
    for (const key of [revoked.key, expired.key, gone.key, ...wrong]) {
      const response = await platform.api.as(key).get('/v1/api-keys');
      expectFormA(response, 401);
      answers.add(JSON.stringify(response.body));
    }
    const none = await platform.api.get('/v1/api-keys');
    expectFormA(none, 401);
    answers.add(JSON.stringify(none.body));
    expect(answers.size).toBe(1);
  });

  it('refuses a repeated key header', async () => {
    expectFormA(
      await platform.api.with({ 'X-Api-Key': `${workspace.key}, ${workspace.key}` }).get('/v1/api-keys'),
      401,
    );
  });

  it('records the use of a key once a minute', async () => {
    const made = await newKey(platform, workspace.owner.key);
    const read = async () =>
      dataOf<ApiKey[]>(await platform.api.as(workspace.owner.key).get('/v1/api-keys')).find(
        ({ _id }) => _id === made._id,
      )?.lastUsedAt;
    expect(await read()).toBeNull();
    await statusOf(platform, made.key);
    const first = await read();
    expect(first).toEqual(expect.any(String));
    platform.clock.advance(30_000);
    await statusOf(platform, made.key);
    expect(await read()).toBe(first);
    platform.clock.advance(30_000);
    await Promise.all([1, 2, 3].map(() => statusOf(platform, made.key)));
    expect(Date.parse((await read()) ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? '') + 60_000);
  });

  it('refuses a user’s key in a workspace that the user has left, and accepts it in others', async () => {
    const other = await platform.seed.workspace({ owner: workspace.owner });
    await platform.api.as(workspace.owner.key).delete(`/v1/workspaces/${workspace.workspaceId}`).expect(200);
    expectFormA(await platform.api.as(workspace.owner.key).in(workspace.workspaceId).get('/v1/api-keys'), 403);
    await platform.api.as(workspace.owner.key).get('/v1/api-keys').expect(200);
    await platform.api.as(workspace.owner.key).in(other.workspaceId).get('/v1/api-keys').expect(200);
  });
});
