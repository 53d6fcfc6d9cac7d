import { KEY_SCOPES, type Principal, systemScope } from '@domain/access';
import { type Model, Types } from 'mongoose';
import { InvitationRecord } from './schemas/invitation.record';
import { WorkspaceRecord } from './schemas/workspace.record';
import { WorkspacesFixture } from './testing/workspaces-fixture';
import { InvitationsService } from './invitations.service';
import { WorkspacesService } from './workspaces.service';

const MANY = 300;

let fixture: WorkspacesFixture;
let workspaces: Model<WorkspaceRecord>;
let invitations: Model<InvitationRecord>;
const ids = Array.from({ length: MANY }, () => new Types.ObjectId());
const some = ids[MANY / 2]!;

beforeAll(async () => {
  fixture = await WorkspacesFixture.open({});
  workspaces = fixture.model(WorkspaceRecord.name);
  invitations = fixture.model(InvitationRecord.name);
  const now = fixture.database.clock.now();
  const limits = { maxMembers: 5, maxCampaigns: 5, maxLeads: 5, maxMailboxes: 5 };
  await workspaces.insertMany(
    ids.map((id) => ({
      _id: id,
      name: 'Many',
      ownerId: id,
      members: [{ userId: id, role: 'owner', joinedAt: now }],
      limits,
    })),
  );
  await invitations.insertMany(
    ids.map((id) => ({
      workspaceId: id,
      email: `${id.toHexString()}@example.com`,
      role: 'member',
      tokenHash: id.toHexString(),
      invitedBy: { kind: 'system', userId: null, keyId: null },
      status: 'pending',
      expiresAt: now,
    })),
  );
});
afterAll(() => fixture.database.close());
afterEach(() => jest.restoreAllMocks());

/** The part of a plan that names the index in use. */
const using = (index: string): string => `"indexName":"${index}"`;

/** The plan of the one `find` that `work` makes on the model. */
async function planOf(model: Model<never>, work: () => Promise<unknown>): Promise<string> {
  const find = jest.spyOn(model, 'find');
  await work();
  const filter: unknown = find.mock.calls[0]![0];
  find.mockRestore();
  return JSON.stringify(
    await model
      .find(filter as never)
      .sort({ createdAt: -1, _id: -1 })
      .limit(26)
      .explain(),
  );
}

it('finds the workspaces of a user by an index', async () => {
  const userId = some.toHexString();
  const principal: Principal = {
    keyId: userId,
    kind: 'user',
    userId,
    operator: false,
    scopes: KEY_SCOPES,
    homeWorkspaceId: null,
    expiresAt: null,
    rateLimit: null,
  };
  const list = () => fixture.get(WorkspacesService).list(principal, { limit: 25 });
  expect((await list()).items).toHaveLength(1);
  expect(await planOf(workspaces as never, list)).toContain(using('members.userId_1_createdAt_-1__id_-1'));
});

it('finds the open invitations of a workspace by an index', async () => {
  const list = () => fixture.get(InvitationsService).list(systemScope(some.toHexString()), { limit: 25 });
  expect((await list()).items).toHaveLength(1);
  expect(await planOf(invitations as never, list)).toContain(using('workspaceId_1_status_1_createdAt_-1__id_-1'));
});

it('finds the invitation of a token by an index', async () => {
  const query = invitations.findOne({ tokenHash: some.toHexString(), status: 'pending' });
  const plan = await query.setOptions({ allWorkspaces: 'a test' }).explain();
  expect(JSON.stringify(plan)).toContain(using('tokenHash_1'));
});

it('counts the workspaces that a user owns by an index', async () => {
  const plan = await workspaces.find({ ownerId: some, deletedAt: null }).explain();
  expect(JSON.stringify(plan)).toContain(using('ownerId_1'));
});

it('finds deleted workspaces by an index', async () => {
  const plan = await workspaces.find({ deletedAt: { $gt: new Date(0) } }).explain();
  expect(JSON.stringify(plan)).toContain(using('deletedAt_1'));
});
