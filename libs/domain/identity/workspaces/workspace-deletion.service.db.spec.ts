import { type WorkspaceScope, systemScope } from '@domain/access';
import { type User } from '../users/dto/user.dto';
import { UsersService } from '../users/users.service';
import { QueuesService } from '@platform/queues';
import { type Model } from 'mongoose';
import { InvitationRecord } from './schemas/invitation.record';
import { WorkspaceRecord } from './schemas/workspace.record';
import { WorkspacesFixture, getErrorCode } from './testing/workspaces-fixture';
import { WorkspaceDeletionService } from './workspace-deletion.service';
import { WorkspaceRepository } from './workspace.repository';
import { InvitationsService } from './invitations.service';
import { WorkspacesService } from './workspaces.service';

const DAY_MS = 86_400_000;

let fixture: WorkspacesFixture;
let records: Model<WorkspaceRecord>;

beforeAll(async () => {
  fixture = await WorkspacesFixture.open({
    WORKSPACE_RETENTION_DAYS: '10',
    NEW_WORKSPACE_CREDITS: '50',
    MAX_WORKSPACES_PER_USER: '2',
  });
  records = fixture.model(WorkspaceRecord.name);
});
afterAll(() => fixture.database.close());
afterEach(() => fixture.database.clock.reset());

const get = <T>(service: abstract new (...args: never[]) => T): T => fixture.get(service);

describe('a deleted workspace', () => {
  const deletion = () => get(WorkspaceDeletionService);

  async function deleted(): Promise<{ owner: User; scope: WorkspaceScope }> {
    const made = await fixture.newWorkspace();
    await get(InvitationsService).invite(made.scope, { email: 'left@example.com' });
    await deletion().delete(made.scope);
    return made;
  }

  const left = async ({ workspaceId }: WorkspaceScope) =>
    Promise.all([
      records.countDocuments({ _id: workspaceId }),
      ...tenantModels().map((model) => model.countDocuments({ workspaceId })),
    ]);
  const tenantModels = () =>
    [InvitationRecord.name, 'AuditRecord', 'CreditEntryRecord'].map((name) =>
      fixture.model<{ workspaceId: string }>(name),
    );

  it('is unknown, and no longer the default of any user', async () => {
    const { owner, scope } = await deleted();
    expect(await get(WorkspaceRepository).membership(scope.workspaceId, owner.id)).toBeNull();
    expect((await get(UsersService).byId(owner.id))?.defaultWorkspaceId).toBeNull();
    expect(await getErrorCode(deletion().delete(scope))).toBe('NOT_FOUND');
  });

  it('is not erased before the end of the retention time', async () => {
    const { scope } = await deleted();
    fixture.database.clock.advance(10 * DAY_MS - 120_000);
    await get(WorkspaceDeletionService).purge(scope.workspaceId);
    expect(await left(scope)).toEqual([1, 1, expect.any(Number), 1]);
  });

  it('is erased with all its records and no others', async () => {
    const [{ scope }, other] = [await deleted(), await fixture.newWorkspace()];
    const before = await left(other.scope);
    fixture.database.clock.advance(10 * DAY_MS);
    await get(WorkspaceDeletionService).purge(scope.workspaceId);
    expect(await left(scope)).toEqual([0, 0, 0, 0]);
    expect(await left(other.scope)).toEqual(before);
    await expect(get(WorkspaceDeletionService).purge(scope.workspaceId)).resolves.toBeUndefined();
  });

  it('is erased completely by a second job when the first was interrupted', async () => {
    const { scope } = await deleted();
    fixture.database.clock.advance(10 * DAY_MS);
    await expect(get(WorkspaceDeletionService).purge(scope.workspaceId, AbortSignal.abort())).rejects.toThrow(
      'aborted',
    );
    expect(await records.countDocuments({ _id: scope.workspaceId })).toBe(1);
    expect(await getErrorCode(get(WorkspaceDeletionService).restore(systemScope(scope.workspaceId, 'operator')))).toBe(
      'CONFLICT',
    );
    await get(WorkspaceDeletionService).purge(scope.workspaceId);
    expect(await left(scope)).toEqual([0, 0, 0, 0]);
  });

  it('can be restored until then, and an outdated job erases nothing', async () => {
    const { owner, scope } = await deleted();
    const restored = await get(WorkspaceDeletionService).restore(systemScope(scope.workspaceId, 'operator'));
    expect(restored).toEqual(await get(WorkspacesService).get(scope));
    expect((await get(UsersService).byId(owner.id))?.defaultWorkspaceId).toBe(scope.workspaceId);
    fixture.database.clock.advance(11 * DAY_MS);
    await get(WorkspaceDeletionService).purge(scope.workspaceId);
    expect((await left(scope))[0]).toBe(1);
    expect(await getErrorCode(get(WorkspaceDeletionService).restore(scope))).toBe('CONFLICT');
  });

  it('is not restored for an owner at the cap of workspaces', async () => {
    const { owner, scope } = await deleted();
    for (let made = 0; made < 2; made += 1) await fixture.newWorkspace(owner);
    const restore = () => get(WorkspaceDeletionService).restore(systemScope(scope.workspaceId, 'operator'));
    expect(await getErrorCode(restore())).toBe('LIMIT_EXCEEDED');
    expect(await getErrorCode(get(WorkspacesService).get(scope))).toBe('NOT_FOUND');
  });

  it('has a new job when it is deleted again after a restoration', async () => {
    const { scope } = await deleted();
    await get(WorkspaceDeletionService).restore(systemScope(scope.workspaceId, 'operator'));
    fixture.database.clock.advance(DAY_MS);
    await deletion().delete(scope);
    const queue = get(QueuesService).get('workspace-purge');
    const jobs = (await queue.getDelayed()).filter(({ data }) => data.workspaceId === scope.workspaceId).length;
    expect(jobs).toBe(2);
  });

  it('has a job for its due day, which is added again when Redis lost it', async () => {
    const { scope } = await deleted();
    const queue = get(QueuesService).get('workspace-purge');
    const jobs = async () => (await queue.getDelayed()).filter(({ data }) => data.workspaceId === scope.workspaceId);
    const [job] = await jobs();
    expect(job?.data).toEqual({ workspaceId: scope.workspaceId });
    expect(Math.abs((job?.delay ?? 0) - 10 * DAY_MS)).toBeLessThan(60_000);
    await get(WorkspaceDeletionService).sweep();
    expect(await get(WorkspaceDeletionService).sweep()).toBe(0);
    await queue.obliterate({ force: true });
    expect(await get(WorkspaceDeletionService).sweep()).toBeGreaterThanOrEqual(1);
    expect(await jobs()).toHaveLength(1);
    await queue.obliterate({ force: true });
  });
});
