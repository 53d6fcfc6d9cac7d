import { getModelToken, Prop } from '@nestjs/mongoose';
import { MetricsService } from '@platform/observability';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model, Schema, Types } from 'mongoose';
import { Collection } from './collection.decorator';
import { CollectionIndexService } from './collection-index.service';
import { DatabaseModule } from './database.module';
import { LeaseService } from './lease.service';
import { writeConflict } from './write-conflict';
import { TransactionService } from './transaction.service';

@Collection('measured_spec', {
  tenant: true,
  indexes: [
    { serves: 'a test', fields: { dueAt: 1 }, due: 'posting', where: { open: true } },
    { serves: 'a test', fields: { 'next.resolveAt': 1, _id: 1 }, due: 'looking' },
    { serves: 'a test', fields: { againAt: 1 }, due: 'looking' },
    { serves: 'another test', fields: { open: 1 } },
  ],
})
class DuePost {
  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Boolean, default: true })
  open!: boolean;

  @Prop({ type: Date })
  dueAt?: Date;

  @Prop({ type: Date })
  againAt?: Date;

  @Prop({ type: new Schema({ resolveAt: Date }, { _id: false }), default: null })
  next!: { resolveAt: Date } | null;
}

describe('the metrics of the database', () => {
  let database: TestDatabase;
  let posts: Model<DuePost>;
  const workspaceId = new Types.ObjectId();

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [DatabaseModule.collections(DuePost)] });
    posts = database.module.get(getModelToken(DuePost.name));
    database.clock.freeze(new Date('2026-03-02T09:00:00Z'));
  });
  afterAll(() => database.close());
  beforeEach(() => posts.deleteMany({ workspaceId }));

  const ago = (seconds: number) => database.clock.in(-seconds * 1_000);
  const ages = async () => Object.fromEntries(await database.module.get(CollectionIndexService).getDueAges());
  const shown = async (name: string) => {
    const text = await database.module.get(MetricsService).text();
    return text.split('\n').find((line) => line.startsWith(name)) ?? '';
  };

  it('show the lag of each kind of work by its oldest due item', async () => {
    expect(await ages()).toEqual({ posting: 0, looking: 0 });
    await posts.insertMany([
      { workspaceId, dueAt: ago(40), next: { resolveAt: ago(5) } },
      { workspaceId, dueAt: ago(90), againAt: ago(-60) },
      { workspaceId, dueAt: ago(500), open: false, againAt: ago(7) },
    ]);
    expect(await ages()).toEqual({ posting: 90, looking: 7 });
  });

  it('read one index entry for the lag', async () => {
    await posts.insertMany(Array.from({ length: 300 }, (_each, index) => ({ workspaceId, dueAt: ago(index) })));
    const plan = await posts
      .findOne({ open: true, dueAt: { $gt: new Date(0), $lte: database.clock.now() } })
      .setOptions({ allWorkspaces: 'a test' })
      .sort({ dueAt: 1 })
      .explain('executionStats');
    expect(
      (plan as unknown as { executionStats: { totalDocsExamined: number } }).executionStats.totalDocsExamined,
    ).toBe(1);
  });

  it('count the effects of a rerun transaction once, and nothing for a failed one', async () => {
    const transactions = database.module.get(TransactionService);
    let counted = 0;
    let runs = 0;
    await transactions.run(async () => {
      await posts.create({ workspaceId });
      transactions.countOnce(() => (counted += 1));
      runs += 1;
      if (runs === 1) throw writeConflict('The post');
    });
    expect({ runs, counted }).toEqual({ runs: 2, counted: 1 });
    expect(await shown('outreach_transaction_reruns_total')).toBe('outreach_transaction_reruns_total 1');
    await transactions
      .run(async () => {
        transactions.countOnce(() => (counted += 1));
        await posts.create({ workspaceId });
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(counted).toBe(1);
    transactions.countOnce(() => (counted += 1));
    expect(counted).toBe(2);
    expect(await shown('outreach_transactions_total{outcome="failed"}')).toMatch(/ 1$/);
  });

  it('count lost leases', async () => {
    const leases = database.module.get(LeaseService);
    const lease = await leases.acquire('measured', 60_000);
    expect(await leases.renew(lease!, 60_000)).toBe(true);
    expect(await shown('outreach_leases_lost_total')).toBe('outreach_leases_lost_total 0');
    await leases.release(lease!);
    await leases.acquire('measured', 60_000);
    expect(await leases.renew(lease!, 60_000)).toBe(false);
    expect(await shown('outreach_leases_lost_total')).toBe('outreach_leases_lost_total 1');
  });
});
