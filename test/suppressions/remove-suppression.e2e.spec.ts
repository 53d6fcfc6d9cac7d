import { SuppressionsService } from '@domain/suppressions';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection } from 'mongoose';
import { readContent, expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';

const PATH = '/v1/suppressions';

describe('DELETE /v1/suppressions/:suppressionId', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let id: string;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
    id = await suppressed(workspace);
  });
  afterAll(() => platform.close());

  async function suppressed({ key }: SeededWorkspace): Promise<string> {
    await platform.api.as(key).post(PATH).send({ domains: ['example.org'] }).expect(201); // prettier-ignore
    return dataOf<{ _id: string }[]>(await platform.api.as(key).get(PATH))[0]!._id;
  }
  const remove = (of = id, key = workspace.key) =>
    platform.api.as(key).in(workspace.workspaceId).delete(`${PATH}/${of}`);
  const isSuppressed = () =>
    platform.app
      .get(SuppressionsService, { strict: false })
      .isSuppressed(workspace.workspaceId, 'ada@mail.example.org');

  it('removes the entry, and records it in the ledger and the audit log', async () => {
    expect(await isSuppressed()).toBe(true);
    expect(dataOf(await remove().expect(200))).toEqual({ message: 'Suppression removed' });
    expect(await isSuppressed()).toBe(false);
    expectFormB(await remove(), 404, 'NOT_FOUND');
    const content = await readContent(platform.app.get<Connection>(getConnectionToken()).db!);
    const ledger = content['suppression_ledger'] as { workspaceId: { toString(): string }; act: string }[];
    const mine = ledger.filter(({ workspaceId }) => String(workspaceId) === workspace.workspaceId);
    expect(mine.map(({ act }) => act)).toEqual(['added', 'removed']);
    expect(await auditedActions(platform, workspace)).toContain('suppression.removed');
  });

  it('answers 404 Form B to an unknown id, a malformed id and another workspace’s entry', async () => {
    const theirs = await suppressed(await platform.seed.workspace());
    for (const other of [UNKNOWN_ID, theirs, ...MALFORMED_IDS]) expectFormB(await remove(other), 404, 'NOT_FOUND');
    expect(await isSuppressed()).toBe(true);
  });

  it('requires an admin, since opt-outs need protection', async () => {
    const member = await newMember(platform, workspace);
    const admin = await newMember(platform, workspace, 'admin');
    const writing = await platform.seed.workspaceKey(workspace.workspaceId, ['read', 'write']);
    for (const key of [member.key, writing]) expectFormA(await remove(id, key), 403, 'permission');
    expect(await isSuppressed()).toBe(true);
    await remove(id, admin.key).expect(200);
  });
});
