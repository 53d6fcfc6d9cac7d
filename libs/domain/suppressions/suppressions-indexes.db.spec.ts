import { systemScope } from '@domain/access';
import { getModelToken } from '@nestjs/mongoose';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { SuppressionEntryRecord } from './schemas/suppression-entry.record';
import { SuppressionRecord } from './schemas/suppression.record';
import { SuppressionsModule } from './suppressions.module';
import { SuppressionsService } from './suppressions.service';

const WORKSPACES = 30;
const EACH = 20;

let database: TestDatabase;
let records: Model<SuppressionRecord>;
let ledger: Model<SuppressionEntryRecord>;
const ids = Array.from({ length: WORKSPACES }, () => new Types.ObjectId());
const mine = systemScope(ids[WORKSPACES / 2]!.toHexString());

beforeAll(async () => {
  database = await openTestDatabase({ imports: [SuppressionsModule] });
  records = database.module.get(getModelToken(SuppressionRecord.name));
  ledger = database.module.get(getModelToken(SuppressionEntryRecord.name));
  const { actor } = mine;
  const values = ids.flatMap((workspaceId) =>
    Array.from({ length: EACH }, (_, index) => ({
      workspaceId,
      kind: index === 0 ? ('domain' as const) : ('address' as const),
      value: index === 0 ? 'example.org' : `a${index}@example.com`,
      source: index === 1 ? ('bounce' as const) : ('manual' as const),
    })),
  );
  await records.insertMany(values.map((value) => ({ ...value, createdBy: actor })));
  await ledger.insertMany(values.map((value) => ({ ...value, act: 'added' as const, actor })));
});
afterAll(() => database.close());

it.each([
  ['all', {}, EACH],
  ['suppressions of a kind', { kind: 'domain' as const }, 1],
  ['suppressions of a source', { source: 'bounce' as const }, 1],
])('lists %s by an index, without reading other suppressions', async (_what, query, found) => {
  const find = jest.spyOn(records, 'find');
  const { items } = await database.module.get(SuppressionsService).list(mine, { limit: 25, ...query });
  const filter: unknown = find.mock.calls[0]![0];
  find.mockRestore();
  expect(items).toHaveLength(found);
  const plan = await records
    .find(filter as never)
    .sort({ createdAt: -1, _id: -1 })
    .limit(26)
    .explain('executionStats');
  expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_');
  expect(plan).toMatchObject({ executionStats: { totalDocsExamined: found } });
});

it('stores a value once per workspace', async () => {
  const twice = { workspaceId: ids[0], kind: 'domain', value: 'example.org', source: 'manual', createdBy: mine.actor };
  await expect(records.create(twice as never)).rejects.toMatchObject({ code: 11_000 });
});

it('finds the ledger entries of a value by an index', async () => {
  const plan = await ledger
    .find({ workspaceId: mine.workspaceId, value: 'example.org' })
    .sort({ createdAt: 1 })
    .explain('executionStats');
  expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_value_1_createdAt_1"');
  expect(plan).toMatchObject({ executionStats: { totalDocsExamined: 1 } });
});
