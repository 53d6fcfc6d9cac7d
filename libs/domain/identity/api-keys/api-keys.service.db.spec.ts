import { type Principal, systemActor, systemScope } from '@domain/access';
import { AuditModule, AuditService } from '@domain/audit';
import { type User } from '../users/dto/user.dto';
import { UsersModule } from '../users/users.module';
import { UsersService } from '../users/users.service';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { WorkspaceDeletionService } from '../workspaces/workspace-deletion.service';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { getModelToken } from '@nestjs/mongoose';
import { AppError } from '@platform/errors';
import { QueuesModule } from '@platform/queues';
import { type TestDatabase, openTestDatabase } from '../../../testing';
import mongoose, { type Model, Types } from 'mongoose';
import { ApiKeyAuthenticationService } from './api-key-authentication.service';
import { ApiKeysModule } from './api-keys.module';
import { OperatorKeysService } from './operator-keys.service';
import { MAX_LIVE_KEYS } from './api-keys.service';
import { createKeySecret } from './key-secret';
import { type StoredKey } from './schemas/key-record';
import { UserKeyRecord } from './schemas/user-key.record';
import { WorkspaceKeyRecord } from './schemas/workspace-key.record';

const UNKNOWN = '0123456789abcdef01234567';

let database: TestDatabase;
let door: ApiKeyAuthenticationService;
let operator: OperatorKeysService;
let serial = 0;

beforeAll(async () => {
  database = await openTestDatabase(
    { imports: [QueuesModule, UsersModule, WorkspacesModule, ApiKeysModule, AuditModule] },
    { WORKSPACE_RETENTION_DAYS: '0' },
  );
  door = get(ApiKeyAuthenticationService);
  operator = get(OperatorKeysService);
});
afterAll(() => database.close());
afterEach(() => {
  jest.restoreAllMocks();
  database.clock.reset();
});

const get = <T>(service: abstract new (...args: never[]) => T): T => database.module.get<T>(service);
const keysOf = (record: { name: string }) => database.module.get<Model<StoredKey>>(getModelToken(record.name));

async function newUser(isOperator = false): Promise<User> {
  serial += 1;
  return get(UsersService).create({ email: `holder${serial}@example.com`, name: 'Holder', operator: isOperator });
}

async function newWorkspace(owner?: User): Promise<{ id: string; owner: User }> {
  const by = owner ?? (await newUser());
  const { id } = await get(WorkspacesService).createFor(by.id, { name: 'Acme' }, systemActor('operator'));
  return { id, owner: by };
}

const workspaceKey = async (id: string) => (await operator.issueForWorkspace(systemScope(id), { name: 'Key' })).key;
const userKey = async (user: User) => (await operator.issueForUser(user.id, { name: 'Key' })).key;

async function refusal(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return 'none';
}

/** The collections that a call queries, in order. */
async function asked(work: () => Promise<unknown>): Promise<string[]> {
  const collections: string[] = [];
  mongoose.set('debug', (collection: string) => collections.push(collection));
  try {
    await work().catch(() => {});
  } finally {
    mongoose.set('debug', false);
  }
  return collections;
}

describe('the principal of a key', () => {
  it('is a workspace, with that workspace as default', async () => {
    const { id } = await newWorkspace();
    const principal = await door.authenticate(await workspaceKey(id));
    expect(principal).toEqual({
      keyId: expect.any(String) as unknown,
      kind: 'workspace',
      userId: null,
      operator: false,
      scopes: ['read', 'write', 'admin'],
      homeWorkspaceId: id,
      expiresAt: null,
      rateLimit: null,
    });
  });

  it('is a user, with the default workspace and the rate limit of the key', async () => {
    const { id, owner } = await newWorkspace();
    const { _id, key } = await operator.issueForUser(owner.id, { name: 'Key', scopes: ['read'] });
    await operator.setRateLimit(_id, 7);
    expect(await door.authenticate(key)).toEqual({
      keyId: _id,
      kind: 'user',
      userId: owner.id,
      operator: false,
      scopes: ['read'],
      homeWorkspaceId: id,
      expiresAt: null,
      rateLimit: 7,
    });
  });

  it('is unknown after the same single lookup, for any fault of the key', async () => {
    const { id } = await newWorkspace();
    const revoked = await operator.issueForWorkspace(systemScope(id), { name: 'Revoked' });
    await operator.revoke(revoked._id);
    const wrong = [undefined, '', `sk_${'0'.repeat(64)}`, `sk_user_${'0'.repeat(64)}`, 'x'.repeat(300), revoked.key];
    for (const key of wrong) {
      expect(await refusal(door.authenticate(key))).toBe('UNAUTHORIZED');
      expect(await asked(() => door.authenticate(key))).toEqual([
        key?.startsWith('sk_user_') ? 'user_keys' : 'workspace_keys',
      ]);
    }
  });

  it('is found by two reads: the key, and the workspace or the user', async () => {
    const { id, owner } = await newWorkspace();
    const [ofWorkspace, ofUser] = [await workspaceKey(id), await userKey(owner)];
    for (const key of [ofWorkspace, ofUser]) await door.authenticate(key);
    const request = (key: string) => asked(async () => door.enter(await door.authenticate(key), id, 'path'));
    expect(await request(ofWorkspace)).toEqual(['workspace_keys', 'workspaces']);
    expect(await request(ofUser)).toEqual(['user_keys', 'users', 'workspaces']);
  });

  it('is found although recording the use of the key fails', async () => {
    const { id } = await newWorkspace();
    const key = await workspaceKey(id);
    jest.spyOn(keysOf(WorkspaceKeyRecord), 'updateOne').mockImplementation(() => {
      throw new Error('no primary');
    });
    await expect(door.authenticate(key)).resolves.toMatchObject({ homeWorkspaceId: id });
  });
});

describe('entering a workspace', () => {
  const enter = (principal: Principal, id: string | null, via: 'path' | 'header') => door.enter(principal, id, via);

  it('gives a workspace key the role of an admin in its workspace', async () => {
    const { id } = await newWorkspace();
    const principal = await door.authenticate(await workspaceKey(id));
    const scope = {
      workspaceId: id,
      role: 'admin',
      scopes: principal.scopes,
      actor: { kind: 'workspace_key', userId: null, keyId: principal.keyId },
    };
    expect(await enter(principal, id, 'path')).toEqual(scope);
    expect(await enter(principal, id.toUpperCase(), 'header')).toEqual(scope);
    expect(await enter(principal, null, 'header')).toEqual(scope);
  });

  it('gives a user their role in the workspace', async () => {
    const { id, owner } = await newWorkspace();
    const principal = await door.authenticate(await userKey(owner));
    expect(await enter(principal, null, 'header')).toEqual({
      workspaceId: id,
      role: 'owner',
      scopes: principal.scopes,
      actor: { kind: 'user', userId: owner.id, keyId: principal.keyId },
    });
  });

  it.each([
    ['path', 'FORBIDDEN', 'NOT_FOUND'],
    ['header', 'FORBIDDEN', 'FORBIDDEN'],
  ] as const)('through the %s answers %s for a foreign workspace and %s for none', async (via, foreign, none) => {
    const [{ id, owner }, other, gone] = [await newWorkspace(), await newWorkspace(), await newWorkspace()];
    await get(WorkspaceDeletionService).delete(systemScope(gone.id));
    for (const key of [await workspaceKey(id), await userKey(owner)]) {
      const principal = await door.authenticate(key);
      expect(await refusal(enter(principal, other.id, via))).toBe(foreign);
      for (const missing of [gone.id, UNKNOWN, 'x', ''])
        expect(await refusal(enter(principal, missing, via))).toBe(none);
    }
  });

  it('is refused without a named workspace to a user without a default workspace', async () => {
    const principal = await door.authenticate(await userKey(await newUser()));
    await expect(enter(principal, null, 'header')).rejects.toThrow(/name one in X-Workspace-Id/);
  });

  it('is refused with a hint to a user whose default workspace is deleted or not accessible', async () => {
    const [{ id, owner }, other] = [await newWorkspace(), await newWorkspace()];
    const principal = await door.authenticate(await userKey(owner));
    for (const homeWorkspaceId of [UNKNOWN, other.id]) {
      const stale = { ...principal, homeWorkspaceId };
      await expect(enter(stale, null, 'header')).rejects.toThrow(/name one in X-Workspace-Id/);
      expect(await enter(stale, id, 'header')).toMatchObject({ workspaceId: id });
    }
    const operating = { ...principal, operator: true, homeWorkspaceId: UNKNOWN };
    await expect(door.enterAsOperator(operating, null)).rejects.toThrow(/name one in X-Workspace-Id/);
  });

  it('is open to operators everywhere, and only to them', async () => {
    const { id, owner } = await newWorkspace();
    const principal = await door.authenticate(await userKey(await newUser(true)));
    expect(await door.enterAsOperator(principal, id)).toMatchObject({
      workspaceId: id,
      role: 'owner',
      actor: { kind: 'operator', userId: principal.userId },
    });
    expect(await refusal(door.enterAsOperator(principal, UNKNOWN))).toBe('NOT_FOUND');
    expect(await refusal(door.enterAsOperator(principal, null))).toBe('FORBIDDEN');
    expect(await refusal(door.enterAsOperator(await door.authenticate(await userKey(owner)), id))).toBe('FORBIDDEN');
  });
});

describe('the operator', () => {
  it('issues keys, limits and revokes them, all of it audited', async () => {
    const { id, owner } = await newWorkspace();
    for (const { _id } of [
      await operator.issueForWorkspace(systemScope(id, 'operator'), { name: 'W' }),
      await operator.issueForUser(owner.id, { name: 'U' }),
    ]) {
      expect(await operator.setRateLimit(_id, 5)).toMatchObject({ rateLimit: 5 });
      await operator.setRateLimit(_id, 5);
      expect(await operator.revoke(_id)).toMatchObject({ revokedAt: expect.any(String) as unknown });
      await operator.revoke(_id);
      const { items } = await get(AuditService).list(systemScope(id), { limit: 25, targetId: _id });
      expect(items.map(({ action, actor }) => `${actor.kind} ${action}`)).toEqual([
        'operator api_key.revoked',
        'operator api_key.rate_limit_changed',
        'operator api_key.created',
      ]);
    }
  });

  it('issues a key to a user without a workspace', async () => {
    const user = await newUser();
    expect(await door.authenticate(await userKey(user))).toMatchObject({ userId: user.id, homeWorkspaceId: null });
  });

  it('gets an error for an unknown user, workspace or key, and for an invalid limit', async () => {
    expect(await refusal(operator.issueForUser(UNKNOWN, { name: 'x' }))).toBe('NOT_FOUND');
    expect(await refusal(operator.issueForWorkspace(systemScope(UNKNOWN), { name: 'x' }))).toBe('NOT_FOUND');
    for (const id of [UNKNOWN, 'x']) {
      expect(await refusal(operator.revoke(id))).toBe('NOT_FOUND');
      expect(await refusal(operator.setRateLimit(id, 5))).toBe('NOT_FOUND');
    }
    for (const limit of [0, -1, 1.5, 1_000_001, Number.NaN])
      expect(await refusal(operator.setRateLimit(UNKNOWN, limit))).toBe('VALIDATION_ERROR');
  });
});

describe('keys', () => {
  /** Inserts keys directly, up to the cap of an owner minus `room`. */
  async function fill(record: { name: string }, owner: object, room: number): Promise<void> {
    const stored = Array.from({ length: MAX_LIVE_KEYS - room }, () => ({
      ...owner,
      name: 'Filler',
      scopes: ['read'],
      secrets: [createKeySecret('workspace').stored],
      createdBy: systemActor('system'),
    }));
    await keysOf(record).insertMany(stored);
  }

  it('of a workspace and of a user are capped, even for two concurrent creations', async () => {
    const { id, owner } = await newWorkspace();
    await fill(WorkspaceKeyRecord, { workspaceId: new Types.ObjectId(id) }, 1);
    await fill(UserKeyRecord, { userId: new Types.ObjectId(owner.id) }, 1);
    for (const make of [() => workspaceKey(id), () => userKey(owner)]) {
      const outcomes = await Promise.all([refusal(make()), refusal(make()), refusal(make())]);
      expect(outcomes.toSorted()).toEqual(['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED', 'none']);
    }
    await expect(workspaceKey(id)).rejects.toThrow('A workspace may have 100 API keys');
  });

  it('do not count towards the cap when they are revoked or expired', async () => {
    const { id } = await newWorkspace();
    const owner = { workspaceId: new Types.ObjectId(id) };
    const keys = keysOf(WorkspaceKeyRecord);
    await fill(WorkspaceKeyRecord, owner, 0);
    expect(await refusal(workspaceKey(id))).toBe('LIMIT_EXCEEDED');
    await keys.updateOne(owner, { $set: { expiresAt: database.clock.in(60_000) } });
    expect(await refusal(workspaceKey(id))).toBe('LIMIT_EXCEEDED');
    database.clock.advance(60_000);
    await workspaceKey(id);
    expect(await refusal(workspaceKey(id))).toBe('LIMIT_EXCEEDED');
    await keys.updateOne({ ...owner, expiresAt: null }, { $set: { revokedAt: database.clock.now() } });
    await workspaceKey(id);
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(201) }],
    ['scopes', { name: 'x', scopes: ['root'] }],
    ['scopes', { name: 'x', scopes: [] }],
    ['expiresAt', { name: 'x', expiresAt: '2099-01-01' }],
  ])('are refused by %s without the API too: %j', async (field, input) => {
    const { id, owner } = await newWorkspace();
    const attempts = [
      () => operator.issueForWorkspace(systemScope(id), input),
      () => operator.issueForUser(owner.id, input),
    ];
    for (const attempt of attempts)
      await expect(attempt()).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] });
    expect(await keysOf(WorkspaceKeyRecord).countDocuments({ workspaceId: id })).toBe(0);
  });
});

describe('stored keys', () => {
  it('contain no secret', async () => {
    const { id, owner } = await newWorkspace();
    const secrets = [await workspaceKey(id), await userKey(owner)];
    const stored = JSON.stringify([
      await keysOf(WorkspaceKeyRecord)
        .find({ workspaceId: new Types.ObjectId(id) })
        .lean(),
      await keysOf(UserKeyRecord)
        .find({ userId: new Types.ObjectId(owner.id) })
        .lean(),
    ]);
    for (const secret of secrets) expect(stored).not.toContain(secret.slice(-64));
  });

  it('never share a secret', async () => {
    const { id } = await newWorkspace();
    await workspaceKey(id);
    const keys = keysOf(WorkspaceKeyRecord);
    const { _id, ...copy } = (await keys.findOne({ workspaceId: id }).lean<StoredKey>())!;
    await expect(keys.create(copy)).rejects.toMatchObject({ code: 11000 });
    expect(await keys.findOne({ _id, workspaceId: id }).lean()).not.toBeNull();
  });

  it('of a workspace are erased with it, and platform keys are not', async () => {
    const { id, owner } = await newWorkspace();
    const key = await userKey(owner);
    await workspaceKey(id);
    await get(WorkspaceDeletionService).delete(systemScope(id));
    await get(WorkspaceDeletionService).purge(id);
    expect(await keysOf(WorkspaceKeyRecord).countDocuments({ workspaceId: id })).toBe(0);
    await expect(door.authenticate(key)).resolves.toMatchObject({ userId: owner.id, homeWorkspaceId: null });
  });
});
