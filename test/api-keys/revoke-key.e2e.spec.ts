import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { newKey, statusOf } from './keys';

describe('DELETE /v1/api-keys/:id', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const revoke = (id: string, key = workspace.owner.key) => platform.api.as(key).delete(`/v1/api-keys/${id}`);

  it('stops the key at once, answers a message, and answers the same when repeated', async () => {
    const made = await newKey(platform, workspace.owner.key);
    expect(await statusOf(platform, made.key)).toBe(200);
    const message = { success: true, data: { message: 'API key revoked' } };
    expect((await revoke(made._id)).body as unknown).toEqual(message);
    expectFormA(await platform.api.as(made.key).get('/v1/workspaces'), 401);
    expect((await revoke(made._id)).body as unknown).toEqual(message);
    expect((await auditedActions(platform, workspace)).filter((action) => action === 'api_key.revoked')).toHaveLength(
      1,
    );
  });

  it('lets a key revoke itself', async () => {
    const { _id, key } = await newKey(platform, workspace.owner.key);
    await revoke(_id, key).expect(200);
    expect(await statusOf(platform, key)).toBe(401);
  });

  it('lets only the user revoke their own platform keys', async () => {
    const member = await newMember(platform, workspace);
    const laptop = await newKey(platform, member.key, { kind: 'user' });
    for (const key of [workspace.owner.key, workspace.key])
      expectFormB(await revoke(laptop._id, key), 404, 'NOT_FOUND');
    expect(await statusOf(platform, laptop.key)).toBe(200);
    await revoke(laptop._id, member.key).expect(200);
    expect(await statusOf(platform, laptop.key)).toBe(401);
  });

  it('refuses a plain member for a workspace key', async () => {
    const member = await newMember(platform, workspace);
    const made = await newKey(platform, workspace.owner.key);
    expect((await revoke(made._id, member.key)).status).toBe(403);
    expect(await statusOf(platform, made.key)).toBe(200);
  });

  it('answers NOT_FOUND for a key of another workspace, an unknown id and a malformed id', async () => {
    const other = await platform.seed.workspace();
    const foreign = await newKey(platform, other.owner.key);
    for (const id of [foreign._id, UNKNOWN_ID, ...MALFORMED_IDS]) expectFormB(await revoke(id), 404, 'NOT_FOUND');
    expect(await statusOf(platform, foreign.key)).toBe(200);
  });
});
