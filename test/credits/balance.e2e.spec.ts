import { systemScope } from '@domain/access';
import { CreditsService } from '@domain/credits';
import { type Platform, type SeededWorkspace, expectFormA, sharedPlatform } from '../harness';
import { joined } from './joining';

const PATH = '/v1/credits/balance';

describe('GET /v1/credits/balance', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace({ credits: 10 });
  });
  afterAll(() => platform.close());

  it('answers exactly the available and the reserved credits', async () => {
    const spending = await platform.seed.workspace({ credits: 10 });
    const request = { amount: 4, reason: 'a job', operation: 'job', ttlMs: 60_000 };
    await platform.app.get(CreditsService, { strict: false }).reserve(systemScope(spending.workspaceId), request);
    const response = await platform.api.as(spending.key).get(PATH).expect(200);
    expect(response.body).toEqual({ success: true, data: { balance: 6, reserved: 4 } });
  });

  it('is zero for a workspace without a grant', async () => {
    const empty = await platform.seed.workspace();
    const response = await platform.api.as(empty.key).get(PATH).expect(200);
    expect(response.body).toEqual({ success: true, data: { balance: 0, reserved: 0 } });
  });

  it('accepts every member and a read-only key', async () => {
    const member = await joined(platform, workspace, 'member');
    await platform.api.as(member.key).in(workspace.workspaceId).get(PATH).expect(200);
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    await platform.api.as(readOnly).get(PATH).expect(200);
  });

  it('rejects strangers and requests without a key', async () => {
    const stranger = await platform.seed.workspace();
    expectFormA(await platform.api.as(stranger.owner.key).in(workspace.workspaceId).get(PATH), 403);
    expectFormA(await platform.api.as(stranger.key).in(workspace.workspaceId).get(PATH), 403);
    expectFormA(await platform.api.get(PATH), 401);
  });
});
