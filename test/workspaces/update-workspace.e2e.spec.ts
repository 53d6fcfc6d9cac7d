import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, newMember } from './people';

describe('PATCH /v1/workspaces/:workspaceId', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace({ name: 'Acme' });
  });
  afterAll(() => platform.close());

  const path = () => `/v1/workspaces/${workspace.workspaceId}`;
  const patch = (body: object, key = workspace.key) => platform.api.as(key).patch(path()).send(body);
  const read = async () => dataOf<object>(await platform.api.as(workspace.key).get(path()));

  it('changes the given fields, leaves the rest, and answers the whole workspace', async () => {
    const before = await read();
    const renamed = dataOf(await patch({ name: 'Beta' }));
    expect(renamed).toEqual({ ...before, name: 'Beta' });
    const opened = dataOf(await patch({ settings: { allowMemberInvites: true } }));
    expect(opened).toEqual({ ...before, name: 'Beta', settings: { allowMemberInvites: true, defaultRole: 'member' } });
    const both = dataOf(await patch({ name: 'Gamma', settings: { defaultRole: 'admin' } }));
    expect(both).toEqual({ ...before, name: 'Gamma', settings: { allowMemberInvites: true, defaultRole: 'admin' } });
    expect(await read()).toEqual(both);
  });

  it('writes one audit entry per change, and none when nothing changes', async () => {
    await patch({ name: 'Beta' }).expect(200);
    await patch({ name: 'Beta' }).expect(200);
    await patch({}).expect(200);
    expect((await auditedActions(platform, workspace)).filter((action) => action === 'workspace.updated')).toHaveLength(
      1,
    );
  });

  it('is open to an admin', async () => {
    const admin = await newMember(platform, workspace, 'admin');
    await patch({ name: 'By admin' }, admin.key).expect(200);
  });

  it('refuses invalid input with VALIDATION_ERROR, names the field and changes nothing', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ name: '' }, 'name'],
      [{ name: null }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ settings: null }, 'settings'],
      [{ settings: [] }, 'settings'],
      [{ settings: 'open' }, 'settings'],
      [{ settings: { allowMemberInvites: 'yes' } }, 'settings.allowMemberInvites'],
      [{ settings: { allowMemberInvites: null } }, 'settings.allowMemberInvites'],
      [{ settings: { defaultRole: 'owner' } }, 'settings.defaultRole'],
      [{ settings: { defaultRole: { $gt: '' } } }, 'settings.defaultRole'],
      [{ settings: { other: true } }, 'settings.other'],
      [{ limits: { maxMembers: 99 } }, 'limits'],
      [{ ownerId: 'x' }, 'ownerId'],
      [{ deletedAt: null }, 'deletedAt'],
      [{ revision: 0 }, 'revision'],
    ];
    for (const [body, field] of cases) {
      const before = await read();
      expectFormB(await patch(body), 400, 'VALIDATION_ERROR', field);
      expect(await read()).toEqual(before);
    }
  });
});
