import { systemScope, type WorkspaceScope } from '@domain/access';
import { getConnectionToken } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { runInContext } from '@platform/observability';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Connection, Types } from 'mongoose';
import { AuditModule } from './audit.module';
import { type AuditedAct, AuditService } from './audit.service';
import { type AuditQuery } from './dto/audit.dto';

const MINUTE_MS = 60_000;

describe('AuditService', () => {
  let database: TestDatabase;
  let audit: AuditService;
  let workspace: WorkspaceScope;

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [AuditModule] });
    audit = database.module.get(AuditService);
  });

  afterAll(() => database.close());

  beforeEach(() => {
    workspace = systemScope(new Types.ObjectId().toHexString(), 'operator');
  });

  const renamed = (id: string): AuditedAct => ({
    action: 'workspace.updated',
    target: { type: 'workspace', id },
    changes: { name: { from: 'Acme', to: 'Apex' } },
  });
  const read = (query: Partial<AuditQuery> = {}, as = workspace) => audit.list(as, { limit: 25, ...query });
  const targets = async (query: Partial<AuditQuery>) => (await read(query)).items.map(({ target }) => target.id);

  it('stores actor, action, record, changes, request and time', async () => {
    database.clock.freeze(new Date('2026-03-01T12:00:00.000Z'));
    const user: WorkspaceScope = { ...workspace, actor: { kind: 'user', userId: 'u1', keyId: 'k1' } };
    await runInContext({ requestId: 'request-1' }, () => audit.record(user, renamed('w1')));
    database.clock.reset();

    expect((await read()).items).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        action: 'workspace.updated',
        actor: { kind: 'user', userId: 'u1', keyId: 'k1' },
        target: { type: 'workspace', id: 'w1' },
        changes: { name: { from: 'Acme', to: 'Apex' } },
        requestId: 'request-1',
        createdAt: '2026-03-01T12:00:00.000Z',
      },
    ]);
  });

  it('stores null when there is no request and there are no changes', async () => {
    await audit.record(workspace, { action: 'workspace.deleted', target: { type: 'workspace', id: 'w1' } });
    expect((await read()).items[0]).toMatchObject({
      actor: { kind: 'operator', userId: null, keyId: null },
      changes: null,
      requestId: null,
    });
  });

  it('stores no entry of a failed transaction, and one entry of a successful one', async () => {
    const transactions = database.module.get(TransactionService);
    const failing = transactions.run(async () => {
      await audit.record(workspace, renamed('w1'));
      throw new Error('the change itself failed');
    });
    await expect(failing).rejects.toThrow('the change itself failed');
    expect((await read()).items).toEqual([]);

    await transactions.run(() => audit.record(workspace, renamed('w2')));
    expect(await targets({})).toEqual(['w2']);
  });

  it('never stores a key that is part of the changes', async () => {
    const key = `sk_${'a1B2'.repeat(10)}`;
    await audit.record(workspace, { ...renamed('w1'), changes: { name: { from: null, to: key } } });
    const stored = await database.module
      .get<Connection>(getConnectionToken())
      .collection('audit_entries')
      .find()
      .toArray();
    expect(JSON.stringify(stored)).not.toContain(key);
  });

  it('lists the entries of the workspace newest first, page by page', async () => {
    const other = systemScope(new Types.ObjectId().toHexString());
    await audit.record(other, renamed('foreign'));
    for (const id of ['w1', 'w2', 'w3']) await audit.record(workspace, renamed(id));

    const first = await read({ limit: 2 });
    expect(first.items.map(({ target }) => target.id)).toEqual(['w3', 'w2']);
    expect(first.pagination).toEqual({
      limit: 2,
      total: 3,
      hasMore: true,
      nextCursor: expect.any(String) as string,
    });
    const cursor = first.pagination.nextCursor ?? '';
    const second = await read({ limit: 2, cursor });
    expect(second.items.map(({ target }) => target.id)).toEqual(['w1']);
    expect(second.pagination).toMatchObject({ hasMore: false, nextCursor: null });
    await expect(read({ limit: 2, cursor }, other)).rejects.toMatchObject({ details: [{ field: 'cursor' }] });
    await expect(read({ limit: 2, cursor, userId: 'u1' })).rejects.toMatchObject({ details: [{ field: 'cursor' }] });
  });

  it('filters by action, person and record', async () => {
    const person: WorkspaceScope = { ...workspace, actor: { kind: 'user', userId: 'u1', keyId: 'k1' } };
    await audit.record(person, { action: 'member.invited', target: { type: 'invitation', id: 'a' } });
    await audit.record(workspace, { action: 'member.removed', target: { type: 'member', id: 'b' } });
    await audit.record(workspace, { action: 'member.role_changed', target: { type: 'member', id: 'c' } });

    expect(await targets({ action: 'member.removed' })).toEqual(['b']);
    expect(await targets({ userId: 'u1' })).toEqual(['a']);
    expect(await targets({ targetType: 'member' })).toEqual(['c', 'b']);
    expect(await targets({ targetId: 'c' })).toEqual(['c']);
    expect(await targets({ targetType: 'invitation', targetId: 'c' })).toEqual([]);
  });

  it('includes the start of a time window and excludes its end', async () => {
    const start = new Date('2026-03-01T12:00:00.000Z');
    for (const [minutes, id] of [
      ['0', 'at 12:00'],
      ['1', 'at 12:01'],
      ['2', 'at 12:02'],
    ] as const) {
      database.clock.freeze(new Date(start.getTime() + Number(minutes) * MINUTE_MS));
      await audit.record(workspace, renamed(id));
    }
    database.clock.reset();

    expect(await targets({ from: '2026-03-01T12:01:00Z' })).toEqual(['at 12:02', 'at 12:01']);
    expect(await targets({ to: '2026-03-01T12:01:00Z' })).toEqual(['at 12:00']);
    expect(await targets({ from: '2026-03-01T13:01:00+01:00', to: '2026-03-01T12:02:00Z' })).toEqual(['at 12:01']);
    const page = await read({ from: '2026-03-01T12:00:00Z', limit: 1 });
    expect(await targets({ from: '2026-03-01T12:00:00Z', cursor: page.pagination.nextCursor ?? '' })).toEqual([
      'at 12:01',
      'at 12:00',
    ]);
  });

  it.each([
    ['an empty window', '2026-03-01T12:00:00Z', '2026-03-01T12:00:00Z'],
    ['a window that ends before it starts', '2026-03-01T12:00:00Z', '2026-03-01T12:30:00+01:00'],
  ])('refuses %s and names the field', async (_what, from, to) => {
    await expect(read({ from, to })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'to' }] });
  });
});
