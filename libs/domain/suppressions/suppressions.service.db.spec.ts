import { HookRegistry } from '@platform/hooks';
import { systemScope, type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { getModelToken } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { addListener, openTestDatabase, type TestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { SuppressionEntryRecord } from './schemas/suppression-entry.record';
import { SuppressionRecord } from './schemas/suppression.record';
import { type SuppressedValues, SUPPRESSION_HOOKS } from './suppression-hooks';
import { SuppressionsModule } from './suppressions.module';
import { SuppressionsService } from './suppressions.service';

const MANUAL = { source: 'manual' } as const;

describe('suppressions', () => {
  let database: TestDatabase;
  let suppressions: SuppressionsService;
  let records: Model<SuppressionRecord>;
  let ledger: Model<SuppressionEntryRecord>;
  let workspace: WorkspaceScope;
  /** The calls of the registered hook, with the stored suppressions at that time. */
  const effects = {
    suppressed: [] as { workspaceId: string; values: SuppressedValues; onRecord: string[] }[],
    lifted: [] as { workspaceId: string; values: SuppressedValues; onRecord: string[] }[],
    failure: null as Error | null,
  };

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [SuppressionsModule] });
    suppressions = database.module.get(SuppressionsService);
    records = database.module.get(getModelToken(SuppressionRecord.name));
    ledger = database.module.get(getModelToken(SuppressionEntryRecord.name));
    const note = (kind: 'suppressed' | 'lifted') => async (of: WorkspaceScope, values: SuppressedValues) => {
      effects[kind].push({ workspaceId: of.workspaceId, values, onRecord: await listed(of) });
      if (effects.failure) throw effects.failure;
    };
    const listener = { suppressed: note('suppressed'), lifted: note('lifted') };
    addListener(database.module.get(HookRegistry), SUPPRESSION_HOOKS, listener);
  });
  beforeEach(() => {
    workspace = systemScope(new Types.ObjectId().toHexString(), 'operator');
    effects.suppressed = [];
    effects.lifted = [];
    effects.failure = null;
  });
  afterAll(() => database.close());

  const listed = async ({ workspaceId } = workspace) =>
    (await records.find({ workspaceId }).sort({ value: 1 }).lean()).map(({ value }) => value);
  const entries = async ({ workspaceId } = workspace) =>
    (await ledger.find({ workspaceId }).sort({ createdAt: 1, _id: 1 }).lean()).map(
      ({ act, value, source, sendId }) => [act, value, source, sendId?.toHexString() ?? null] as const,
    );
  const idOf = async (value: string) =>
    (await records.findOne({ workspaceId: workspace.workspaceId, value }).orFail())._id.toHexString();
  const audited = async () =>
    (await database.module.get(AuditService).list(workspace, { limit: 100 })).items.map(
      ({ action, changes }) => [action, changes] as const,
    );

  describe('adding suppressions', () => {
    it('stores actor, source, reason and time, and a ledger entry', async () => {
      const sendId = new Types.ObjectId().toHexString();
      const given = { addresses: ['Ada@Example.com'], domains: ['example.org'], reason: 'by phone' };
      expect(await suppressions.add(workspace, given, { source: 'unsubscribe', sendId })).toEqual({
        added: 2,
        existing: 0,
      });
      const { items } = await suppressions.list(workspace, { limit: 25 });
      expect(items.map(({ kind, value }) => [kind, value])).toEqual([
        ['domain', 'example.org'],
        ['address', 'ada@example.com'],
      ]);
      expect(items[0]).toMatchObject({ source: 'unsubscribe', reason: 'by phone', createdBy: workspace.actor });
      expect(await entries()).toEqual([
        ['added', 'ada@example.com', 'unsubscribe', sendId],
        ['added', 'example.org', 'unsubscribe', sendId],
      ]);
    });

    it('stores each value once; a repetition changes nothing', async () => {
      await suppressions.add(workspace, { addresses: ['ada@example.com'], reason: 'first' }, MANUAL);
      const again = { addresses: ['ADA@example.com', 'bob@example.com', 'Bob@example.com'], reason: 'second' };
      expect(await suppressions.add(workspace, again, { source: 'import' })).toEqual({ added: 1, existing: 2 });
      const { items } = await suppressions.list(workspace, { limit: 25, search: 'ada' });
      expect(items).toMatchObject([{ source: 'manual', reason: 'first' }]);
      expect(await listed()).toEqual(['ada@example.com', 'bob@example.com']);
      expect((await entries()).map(([act, value]) => [act, value])).toEqual([
        ['added', 'ada@example.com'],
        ['added', 'bob@example.com'],
      ]);
    });

    it('stores each value once when several callers add it concurrently, and counts it as added once', async () => {
      const addresses = Array.from({ length: 20 }, (_, index) => `a${index}@example.com`);
      const results = await Promise.all(
        [addresses, addresses.toReversed(), addresses.slice(5)].map((given) =>
          suppressions.add(workspace, { addresses: given }, MANUAL),
        ),
      );
      expect(results.reduce((sum, { added }) => sum + added, 0)).toBe(20);
      expect(await listed()).toHaveLength(20);
      expect(await entries()).toHaveLength(20);
    });

    it('adds all values or none', async () => {
      const attempt = suppressions.add(workspace, { addresses: ['ada@example.com'], domains: ['nonsense'] }, MANUAL);
      await expect(attempt).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'domains.0' }] });
      expect([await listed(), await entries(), await audited()]).toEqual([[], [], []]);
      expect(effects.suppressed).toEqual([]);
    });

    it('adds a thousand values at once', async () => {
      const addresses = Array.from({ length: 1_000 }, (_, index) => `a${index}@d${index % 100}.example`);
      expect(await suppressions.add(workspace, { addresses }, MANUAL)).toEqual({ added: 1_000, existing: 0 });
      expect(await suppressions.add(workspace, { addresses }, MANUAL)).toEqual({ added: 0, existing: 1_000 });
      expect(await entries()).toHaveLength(1_000);
      expect((await suppressions.matching(workspace.workspaceId, addresses)).size).toBe(1_000);
    });

    it('writes one audit entry with the number and the first values, and none for entries by the platform', async () => {
      const addresses = Array.from({ length: 30 }, (_, index) => `a${index}@example.com`);
      await suppressions.add(workspace, { addresses }, MANUAL);
      await suppressions.add(workspace, { addresses }, MANUAL);
      await suppressions.add(
        systemScope(workspace.workspaceId),
        { addresses: ['b@example.com'] },
        { source: 'bounce' },
      );
      expect(await audited()).toEqual([
        [
          'suppressions.added',
          {
            added: { from: 0, to: 30 },
            source: { from: null, to: 'manual' },
            values: { from: null, to: addresses.slice(0, 20) },
          },
        ],
      ]);
    });

    it('records, once, a further message that leads to an existing opt-out', async () => {
      const [first, second] = [new Types.ObjectId().toHexString(), new Types.ObjectId().toHexString()];
      const given = { addresses: ['ada@example.com'] };
      await suppressions.add(workspace, given, MANUAL);
      for (const sendId of [first, first, second]) {
        await suppressions.add(workspace, given, { source: 'unsubscribe', sendId });
      }
      expect(await entries()).toEqual([
        ['added', 'ada@example.com', 'manual', null],
        ['repeated', 'ada@example.com', 'unsubscribe', first],
        ['repeated', 'ada@example.com', 'unsubscribe', second],
      ]);
    });
  });

  describe('the effects of suppressions', () => {
    it('follow the stored suppression and precede the end of the call', async () => {
      await suppressions.add(workspace, { addresses: ['Ada@example.com'], domains: ['example.org'] }, MANUAL);
      expect(effects.suppressed).toEqual([
        {
          workspaceId: workspace.workspaceId,
          values: { addresses: ['ada@example.com'], domains: ['example.org'], source: 'manual' },
          onRecord: ['ada@example.com', 'example.org'],
        },
      ]);
    });

    it('run outside the transaction, so that a starting send sees the suppression', async () => {
      let seen: boolean | undefined;
      const run = jest.spyOn(database.module.get(TransactionService), 'run').mockImplementation(async (work) => {
        const result = await work();
        seen = effects.suppressed.length > 0;
        return result;
      });
      await suppressions.add(workspace, { addresses: ['ada@example.com'] }, MANUAL);
      run.mockRestore();
      expect(seen).toBe(false);
      expect(effects.suppressed).toHaveLength(1);
    });

    it('run again when the values are added again after a failure of the effects', async () => {
      const given = { addresses: ['ada@example.com'] };
      effects.failure = new Error('the process was killed');
      await expect(suppressions.add(workspace, given, MANUAL)).rejects.toThrow('killed');
      expect(await listed()).toEqual(['ada@example.com']);
      effects.failure = null;
      expect(await suppressions.add(workspace, given, MANUAL)).toEqual({ added: 0, existing: 1 });
      expect(effects.suppressed.map(({ values }) => values.addresses)).toEqual([given.addresses, given.addresses]);
    });
  });

  describe('removing a suppression', () => {
    it('keeps the ledger, adds a ledger entry and an audit entry, and runs the hooks', async () => {
      await suppressions.add(workspace, { domains: ['example.org'], reason: 'rival' }, { source: 'crm' });
      const id = await idOf('example.org');
      expect(await suppressions.remove(workspace, id)).toEqual({ message: 'Suppression removed' });
      expect(await entries()).toEqual([
        ['added', 'example.org', 'crm', null],
        ['removed', 'example.org', 'crm', null],
      ]);
      expect((await audited())[0]).toEqual([
        'suppression.removed',
        { value: { from: 'example.org', to: null }, source: { from: 'crm', to: null } },
      ]);
      expect(effects.lifted).toEqual([
        {
          workspaceId: workspace.workspaceId,
          values: { addresses: [], domains: ['example.org'], source: 'crm' },
          onRecord: [],
        },
      ]);
    });

    it('fails as a whole when a hook fails', async () => {
      await suppressions.add(workspace, { addresses: ['ada@example.com'] }, MANUAL);
      const id = await idOf('ada@example.com');
      effects.failure = new Error('no');
      await expect(suppressions.remove(workspace, id)).rejects.toThrow('no');
      expect(await listed()).toEqual(['ada@example.com']);
      expect(await entries()).toHaveLength(1);
    });

    it('fails for another workspace and for a second call', async () => {
      await suppressions.add(workspace, { addresses: ['ada@example.com'] }, MANUAL);
      const id = await idOf('ada@example.com');
      const other = systemScope(new Types.ObjectId().toHexString());
      await expect(suppressions.remove(other, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(suppressions.remove(workspace, 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await suppressions.remove(workspace, id);
      await expect(suppressions.remove(workspace, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('allows a later opt-out by the same message', async () => {
      const origin = { source: 'unsubscribe', sendId: new Types.ObjectId().toHexString() } as const;
      const given = { addresses: ['ada@example.com'] };
      await suppressions.add(workspace, given, origin);
      await suppressions.remove(workspace, await idOf('ada@example.com'));
      expect(await suppressions.add(workspace, given, origin)).toEqual({ added: 1, existing: 0 });
      expect((await entries()).map(([act]) => act)).toEqual(['added', 'removed', 'added']);
    });
  });

  describe('matching addresses', () => {
    beforeEach(async () => {
      const given = { addresses: ['ada@example.com'], domains: ['example.org', 'sub.example.net', 'bücher.example'] };
      await suppressions.add(workspace, given, MANUAL);
    });

    it.each([
      ['ada@example.com', true],
      ['ADA@Example.com', true],
      ['ada+tag@example.com', false],
      ['ada@sub.example.com', false],
      ['bob@example.com', false],
      ['anybody@example.org', true],
      ['anybody@a.b.example.org', true],
      ['anybody@notexample.org', false],
      ['anybody@example.org.example', false],
      ['anybody@example.net', false],
      ['anybody@sub.example.net', true],
      ['anybody@x.sub.example.net', true],
      ['anybody@bücher.example', true],
      ['anybody@xn--bcher-kva.example', true],
      ['example.org', false],
      ['', false],
    ])('%j: %s', async (email, suppressed) => {
      expect(await suppressions.isSuppressed(workspace.workspaceId, email)).toBe(suppressed);
    });

    it('returns them as given, with one query that reads only matching suppressions', async () => {
      const find = jest.spyOn(records, 'find');
      const others = Array.from({ length: 997 }, (_, index) => `a${index}@mail.d${index}.example`);
      const given = ['Ada@Example.com', 'x@example.org', 'x@example.com', ...others];
      expect(await suppressions.matching(workspace.workspaceId, given)).toEqual(new Set(given.slice(0, 2)));
      expect(find).toHaveBeenCalledTimes(1);
      const [filter, projection] = find.mock.calls[0] as unknown as [object, object];
      find.mockRestore();
      const plan = await records.find(filter, projection).explain('executionStats');
      expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_value_1"');
      expect(plan).toMatchObject({ executionStats: { totalDocsExamined: 2 } });
    });

    it('finds nothing in another workspace, and makes no query without addresses', async () => {
      const other = new Types.ObjectId().toHexString();
      expect(await suppressions.matching(other, ['ada@example.com', 'x@example.org'])).toEqual(new Set());
      const find = jest.spyOn(records, 'find');
      expect(await suppressions.matching(workspace.workspaceId, [])).toEqual(new Set());
      expect(find).not.toHaveBeenCalled();
      find.mockRestore();
    });

    it('supports a thousand addresses with the maximum number of labels', async () => {
      const deep = (index: number) => `a@${'x.'.repeat(118)}d${index}.example.org`;
      const given = Array.from({ length: 1_000 }, (_, index) => deep(index));
      expect((await suppressions.matching(workspace.workspaceId, given)).size).toBe(1_000);
    });
  });
});
