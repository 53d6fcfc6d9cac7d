import { OperatorKeysService } from '@domain/identity';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { type ApiKey, newKey, statusOf } from './keys';

describe('POST /v1/api-keys/:id/rotate', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let made: ApiKey;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  beforeEach(async () => {
    made = await newKey(platform, workspace.owner.key, { name: 'Rotated' });
  });
  afterAll(() => platform.close());

  const rotate = (id: string, body: object = {}, key = workspace.owner.key) =>
    platform.api.as(key).post(`/v1/api-keys/${id}/rotate`).send(body);

  it('answers 200 with the same key and a new secret; the previous secret stops at once', async () => {
    const response = await rotate(made._id);
    const { key } = dataOf<ApiKey>(response);
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: {
        success: true,
        data: { ...made, key: expect.stringMatching(/^sk_[0-9a-f]{64}$/) as unknown, last4: key.slice(-4) },
      },
    });
    expect(await statusOf(platform, made.key)).toBe(401);
    expect(await statusOf(platform, key)).toBe(200);
    expect((await auditedActions(platform, workspace))[0]).toBe('api_key.rotated');
  });

  it('accepts an empty body, which means no overlap', async () => {
    await platform.api.as(workspace.owner.key).post(`/v1/api-keys/${made._id}/rotate`).expect(200);
    expect(await statusOf(platform, made.key)).toBe(401);
  });

  it('accepts both secrets during the overlap', async () => {
    const { key } = dataOf<ApiKey>(await rotate(made._id, { overlapMinutes: 10 }));
    expect([await statusOf(platform, made.key), await statusOf(platform, key)]).toEqual([200, 200]);
    platform.clock.advance(10 * 60_000);
    expect([await statusOf(platform, made.key), await statusOf(platform, key)]).toEqual([401, 200]);
  });

  it('stops both secrets when the key is revoked during the overlap', async () => {
    const { key } = dataOf<ApiKey>(await rotate(made._id, { overlapMinutes: 1440 }));
    await platform.api.as(workspace.owner.key).delete(`/v1/api-keys/${made._id}`).expect(200);
    expect([await statusOf(platform, made.key), await statusOf(platform, key)]).toEqual([401, 401]);
  });

  it('leaves exactly one secret working after several rotations at once without overlap', async () => {
    const keys = (await Promise.all([1, 2, 3].map(() => rotate(made._id)))).map(
      (response) => dataOf<ApiKey>(response).key,
    );
    const statuses = await Promise.all([made.key, ...keys].map((key) => statusOf(platform, key)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses[0]).toBe(401);
  });

  it('refuses to let a weaker key rotate a stronger one', async () => {
    const weaker = await newKey(platform, workspace.owner.key, { scopes: ['write', 'admin'] });
    expect((await rotate(made._id, {}, weaker.key)).status).toBe(403);
    expect(await statusOf(platform, made.key)).toBe(200);
  });

  it('refuses to let an expiring key rotate one that expires later, or extend its own life', async () => {
    const expiresAt = new Date(platform.clock.now().getTime() + 60_000).toISOString();
    const ending = await newKey(platform, workspace.owner.key, { kind: 'user', expiresAt });
    const permanent = await newKey(platform, workspace.owner.key, { kind: 'user' });
    for (const { _id } of [made, permanent]) expectFormA(await rotate(_id, {}, ending.key), 403, /expires later/);
    const again = dataOf<ApiKey>(await rotate(ending._id, { overlapMinutes: 1440 }, ending.key));
    expect(again.expiresAt).toBe(expiresAt);
    platform.clock.advance(60_000);
    expect([await statusOf(platform, ending.key), await statusOf(platform, again.key)]).toEqual([401, 401]);
    expect(await statusOf(platform, made.key)).toBe(200);
  });

  it('refuses to let a key with a low rate limit rotate one with a higher limit', async () => {
    const limited = await newKey(platform, workspace.owner.key);
    await platform.app.get(OperatorKeysService, { strict: false }).setRateLimit(limited._id, 50);
    expectFormA(await rotate(made._id, {}, limited.key), 403, /rate limit/);
    expect(dataOf<{ rateLimit: number }>(await rotate(limited._id, {}, limited.key)).rateLimit).toBe(50);
  });

  it('answers CONFLICT for a revoked or expired key', async () => {
    await platform.api.as(workspace.owner.key).delete(`/v1/api-keys/${made._id}`).expect(200);
    expectFormB(await rotate(made._id), 409, 'CONFLICT');
    const expiresAt = new Date(platform.clock.now().getTime() + 60_000).toISOString();
    const short = await newKey(platform, workspace.owner.key, { expiresAt });
    platform.clock.advance(60_000);
    expectFormB(await rotate(short._id), 409, 'CONFLICT');
  });

  it('requires an admin for a workspace key, and the user for a user’s key', async () => {
    const member = await newMember(platform, workspace);
    expect((await rotate(made._id, {}, member.key)).status).toBe(403);
    const laptop = await newKey(platform, member.key, { kind: 'user' });
    expectFormB(await rotate(laptop._id), 404, 'NOT_FOUND');
    expect(dataOf<ApiKey>(await rotate(laptop._id, {}, member.key)).key).toMatch(/^sk_user_/);
    const reader = await newKey(platform, workspace.owner.key, { scopes: ['read'] });
    expectFormA(await rotate(reader._id, {}, reader.key), 403, /permission/);
  });

  it('answers NOT_FOUND for a key of another workspace, an unknown id and a malformed id', async () => {
    const other = await platform.seed.workspace();
    const foreign = await newKey(platform, other.owner.key);
    for (const id of [foreign._id, UNKNOWN_ID, ...MALFORMED_IDS]) expectFormB(await rotate(id), 404, 'NOT_FOUND');
    expect(await statusOf(platform, foreign.key)).toBe(200);
  });

  it('refuses an invalid overlap and an unknown field', async () => {
    for (const overlapMinutes of [-1, 1441, 1.5, '10', null, [], { $gt: 0 }]) {
      const response = await rotate(made._id, { overlapMinutes });
      expect({ overlapMinutes, status: response.status }).toEqual({ overlapMinutes, status: 400 });
      expectFormB(response, 400, 'VALIDATION_ERROR', 'overlapMinutes');
    }
    expectFormB(await rotate(made._id, { scopes: ['admin'] }), 400, 'VALIDATION_ERROR', 'scopes');
  });
});
