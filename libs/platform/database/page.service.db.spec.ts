import { getModelToken, Prop } from '@nestjs/mongoose';
import { openTestDatabase, type TestDatabase } from '@testing';
import fc from 'fast-check';
import { type Model, Schema, Types } from 'mongoose';
import { Collection } from './collection.decorator';
import { DatabaseModule } from './database.module';
import { PageService, type PageOrder } from './page.service';
import { searchFilter } from './search-filter';

@Collection('entries', {
  tenant: true,
  indexes: [{ serves: 'a page', fields: { workspaceId: 1, createdAt: -1, _id: -1 } }],
})
class Entry {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String })
  label!: string;

  @Prop({ type: Date })
  changedAt?: Date;

  @Prop({ type: Date })
  createdAt!: Date;
}

describe('PageService', () => {
  let database: TestDatabase;
  let pages: PageService;
  let entries: Model<Entry>;

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [DatabaseModule.collections(Entry)] });
    pages = database.module.get(PageService);
    entries = database.module.get<Model<Entry>>(getModelToken(Entry.name));
  });
  afterAll(() => database.close());

  /** Creates entries at the given times (ms); equal times test the tie-break. */
  async function fill(times: readonly number[]): Promise<Types.ObjectId> {
    const workspaceId = new Types.ObjectId();
    const rows = times.map((time, index) => ({ workspaceId, label: `entry ${index}`, createdAt: new Date(time) }));
    if (rows.length > 0) await entries.insertMany(rows, { timestamps: false });
    return workspaceId;
  }

  function read(
    workspaceId: Types.ObjectId,
    page: { limit: number; cursor?: string },
    order: PageOrder = 'newest',
    filter = {},
  ) {
    return pages.read(
      entries,
      { scope: workspaceId.toHexString(), filter: { workspaceId, ...filter }, order, page },
      ({ _id }) => _id.toHexString(),
    );
  }

  async function walk(
    workspaceId: Types.ObjectId,
    limit: number,
    order: PageOrder,
    between?: (page: number) => Promise<void>,
  ): Promise<string[]> {
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; ; page++) {
      const { items, pagination } = await read(
        workspaceId,
        { limit, ...(cursor === undefined ? {} : { cursor }) },
        order,
      );
      seen.push(...items);
      expect(pagination.hasMore).toBe(pagination.nextCursor !== null);
      if (pagination.nextCursor === null) return seen;
      cursor = pagination.nextCursor;
      await between?.(page);
    }
  }

  it('returns each record once and in order, for any times, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 25 }),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom<PageOrder>('newest', 'oldest'),
        async (times, limit, order) => {
          const workspaceId = await fill(times);
          const all = await entries.find({ workspaceId }).lean();
          const sorted = all
            .sort(
              (a, b) =>
                a.createdAt.getTime() - b.createdAt.getTime() || (a._id.toHexString() < b._id.toHexString() ? -1 : 1),
            )
            .map(({ _id }) => _id.toHexString());
          expect(await walk(workspaceId, limit, order)).toEqual(order === 'oldest' ? sorted : sorted.toReversed());
        },
      ),
      { numRuns: 25 },
    );
  });

  it('neither repeats nor skips existing records while others are added and deleted', async () => {
    const workspaceId = await fill(Array.from({ length: 30 }, (_value, index) => Math.floor(index / 3)));
    const before = (await entries.find({ workspaceId }).lean()).map(({ _id }) => _id.toHexString());
    const deleted = before[15]!;
    const seen = await walk(workspaceId, 4, 'newest', async (page) => {
      await entries.insertMany([{ workspaceId, label: 'new', createdAt: new Date(page) }], { timestamps: false });
      if (page === 0) await entries.deleteOne({ workspaceId, _id: new Types.ObjectId(deleted) });
    });
    expect(new Set(seen).size).toBe(seen.length);
    const throughout = before.filter((id) => id !== deleted);
    expect(throughout.filter((id) => !seen.includes(id))).toEqual([]);
  });

  it('sorts by another date on request, and rejects a cursor of the other order', async () => {
    const workspaceId = await fill([1, 2, 3, 4]);
    const [first, second, third, fourth] = await entries.find({ workspaceId }).sort({ createdAt: 1 }).lean();
    for (const [{ _id }, time] of [
      [first!, 9],
      [second!, 5],
      [third!, 5],
      [fourth!, 7],
    ] as const) {
      await entries.updateOne({ _id, workspaceId }, { $set: { changedAt: new Date(time) } });
    }
    const byChange = (page: { limit: number; cursor?: string }) =>
      pages.read(
        entries,
        { scope: workspaceId.toHexString(), filter: { workspaceId }, by: 'changedAt', page },
        ({ _id }) => _id.toHexString(),
      );
    const start = await byChange({ limit: 2 });
    const rest = await byChange({ limit: 2, cursor: start.pagination.nextCursor! });
    const sorted = [first, fourth, third, second].map((entry) => entry!._id.toHexString());
    expect([...start.items, ...rest.items]).toEqual(sorted);
    expect(rest.pagination.nextCursor).toBeNull();
    const { nextCursor } = (await read(workspaceId, { limit: 2 })).pagination;
    await expect(byChange({ limit: 2, cursor: nextCursor! })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('counts the matches and ends with a null cursor', async () => {
    const workspaceId = await fill([1, 2, 3]);
    expect((await read(workspaceId, { limit: 2 })).pagination).toEqual({
      limit: 2,
      total: 3,
      hasMore: true,
      nextCursor: expect.any(String),
    });
    expect((await read(workspaceId, { limit: 3 })).pagination).toEqual({
      limit: 3,
      total: 3,
      hasMore: false,
      nextCursor: null,
    });
    expect(await read(await fill([]), { limit: 5 })).toEqual({
      items: [],
      pagination: { limit: 5, total: 0, hasMore: false, nextCursor: null },
    });
  });

  describe('rejects a cursor', () => {
    it.each([
      ['of another workspace', async () => read(await fill([1]), { limit: 1, cursor: await aCursor() })],
      [
        'of another filter',
        async () => read(mine, { limit: 1, cursor: await aCursor() }, 'newest', { label: 'entry 1' }),
      ],
      ['of the other order', async () => read(mine, { limit: 1, cursor: await aCursor() }, 'oldest')],
      ['that was changed', async () => read(mine, { limit: 1, cursor: flip(await aCursor()) })],
      ['that was invented', async () => read(mine, { limit: 1, cursor: 'bm90IGEgY3Vyc29y' })],
    ] as [string, () => Promise<unknown>][])('%s', async (_name, call) => {
      await expect(call()).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'cursor' }] });
    });

    let mine: Types.ObjectId;
    beforeAll(async () => {
      mine = await fill([1, 2, 3]);
    });
    async function aCursor(): Promise<string> {
      return (await read(mine, { limit: 1 })).pagination.nextCursor!;
    }
    function flip(cursor: string): string {
      const middle = Math.floor(cursor.length / 2);
      return cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1);
    }
  });

  it('uses an index and no sort for a page at the end of the list', async () => {
    const workspaceId = await fill(Array.from({ length: 200 }, (_value, index) => index));
    const first = await read(workspaceId, { limit: 50 });
    const spy = jest.spyOn(entries, 'find');
    await read(workspaceId, { limit: 50, cursor: first.pagination.nextCursor! });
    const filter: unknown = spy.mock.calls[0]![0];
    spy.mockRestore();
    const plan = JSON.stringify(
      await entries
        .find(filter as never)
        .sort({ createdAt: -1, _id: -1 })
        .limit(51)
        .explain(),
    );
    expect(plan).toContain('"indexName":"workspaceId_1_createdAt_-1__id_-1"');
  });
});

describe('searchFilter', () => {
  it.each([
    ['a.b*c', 'a\\.b\\*c'],
    ['(x|y)', '\\(x\\|y\\)'],
    ['$ne', '\\$ne'],
    ['[a-z]', '\\[a\\-z\\]'],
  ])('reads %s as text', (term, pattern) => {
    expect(searchFilter(term, ['name', 'email'])).toEqual({
      $or: [{ name: { $regex: pattern, $options: 'i' } }, { email: { $regex: pattern, $options: 'i' } }],
    });
    expect(new RegExp(pattern).test(term)).toBe(true);
  });

  it('adds nothing without a term', () => {
    expect(searchFilter(undefined, ['name'])).toEqual({});
    expect(searchFilter('', ['name'])).toEqual({});
  });
});
