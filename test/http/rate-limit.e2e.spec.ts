import { OperatorKeysService } from '@domain/identity';
import { expectFormA, type Platform, type SeededWorkspace, startPlatform } from '../harness';

describe('the rate limit', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    // A window that does not end during the test.
    platform = await startPlatform({ env: { RATE_LIMIT_REQUESTS: '3', RATE_LIMIT_WINDOW_SECONDS: '3600' } });
  });
  afterAll(() => platform.close());
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
  });

  const ask = (key: string) => platform.api.as(key).get(`/v1/workspaces/${workspace.workspaceId}`);

  it('counts down in the headers, then answers 429 Form A with Retry-After', async () => {
    for (const remaining of ['2', '1', '0']) {
      const { status, headers } = await ask(workspace.key);
      expect(status).toBe(200);
      expect(headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': remaining });
      expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(3590);
    }
    const refused = await ask(workspace.key);
    expectFormA(refused, 429, '3 requests in 3600 seconds');
    expect(refused.headers).toMatchObject({
      'ratelimit-remaining': '0',
      'retry-after': refused.headers['ratelimit-reset'],
    });
  });

  it('counts each key separately', async () => {
    for (let used = 0; used < 4; used++) await ask(workspace.key);
    expect((await ask(workspace.owner.key)).status).toBe(200);
  });

  it('counts refused requests too', async () => {
    for (let used = 0; used < 3; used++) await platform.api.as(workspace.key).get('/v1/workspaces/unknown');
    expectFormA(await ask(workspace.key), 429);
  });

  it('uses the limit of the key, if it has one', async () => {
    const { keyId } = await issue();
    await platform.app.get(OperatorKeysService, { strict: false }).setRateLimit(keyId, 5);
    const statuses: number[] = [];
    for (let used = 0; used < 6; used++) statuses.push((await ask(workspace.key)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('holds for parallel requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(workspace.key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  });

  it('counts requests without a key by address', async () => {
    const statuses: number[] = [];
    for (let used = 0; used < 4; used++) {
      statuses.push(
        (await platform.api.post('/v1/invitations/accept').send({ token: 'inv_unknown', name: 'x' })).status,
      );
    }
    expect(statuses).toEqual([404, 404, 404, 429]);
  });

  describe('for wrong keys', () => {
    let guessed: Platform;

    beforeAll(async () => {
      guessed = await startPlatform({ env: { RATE_LIMIT_REQUESTS: '3', RATE_LIMIT_WINDOW_SECONDS: '3600' } });
    });
    afterAll(() => guessed.close());

    it('counts wrong keys by address, whatever they are, and blocks no other caller', async () => {
      const { workspaceId, key } = await guessed.seed.workspace();
      const path = `/v1/workspaces/${workspaceId}`;
      const wrong = ['sk_wrong', `sk_${'0'.repeat(64)}`, `sk_user_${'0'.repeat(64)}`];
      for (const guess of wrong) expectFormA(await guessed.api.as(guess).get(path), 401);
      const refused = [
        await guessed.api.as('sk_another').get(path),
        await guessed.api.get(path),
        await guessed.api.as(wrong[0]!).post('/v1/invitations/accept').send({ token: 'inv_unknown' }),
      ];
      for (const response of refused) {
        expectFormA(response, 429, '3 requests in 3600 seconds');
        expect(response.headers['retry-after']).toBe(response.headers['ratelimit-reset']);
      }
      // A valid key is counted separately, also from the address of the wrong keys.
      expect((await guessed.api.as(key).get(path)).status).toBe(200);
    });
  });

  async function issue(): Promise<{ keyId: string }> {
    const created = await platform.api.as(workspace.owner.key).in(workspace.workspaceId).get('/v1/api-keys');
    return { keyId: (created.body as { data: { _id: string }[] }).data[0]!._id };
  }
});
