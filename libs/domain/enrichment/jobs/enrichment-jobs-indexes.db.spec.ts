import { Types } from 'mongoose';
import { EnrichmentItemRecord } from '../schemas/enrichment-item.record';
import { EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { EnrichmentWorkPartitionRecord } from '../schemas/enrichment-work-partition.record';
import { EnrichmentFixture } from '../testing/enrichment-fixture';
import { RETENTION_MS } from './job-price';

const id = () => new Types.ObjectId();
const mine = id();
const jobId = id();
const COUNT = 30;
const DUE = new Date('2026-11-21T10:00:00.000Z');
const ALL = { allWorkspaces: 'a test' };

/** Creates as many records for another workspace or job as for the one in the query. */
const each = <T>(make: (owner: Types.ObjectId, at: number) => T): T[] =>
  [mine, id()].flatMap((owner) => Array.from({ length: COUNT }, (_, at) => make(owner, at)));

describe('queries about enrichment jobs', () => {
  let fixture: EnrichmentFixture;
  const jobs = () => fixture.model<EnrichmentJobRecord>(EnrichmentJobRecord);
  const items = () => fixture.model<EnrichmentItemRecord>(EnrichmentItemRecord);

  beforeAll(async () => {
    fixture = await EnrichmentFixture.open();
    const job = { type: 'email_verification', totalItems: 1, servedAt: DUE };
    await jobs().insertMany(
      each((workspaceId, at) => ({
        ...job,
        workspaceId,
        code: `ev_${at}_${workspaceId.toHexString()}`,
        createdAt: new Date(DUE.getTime() + at),
        expiresAt: new Date(DUE.getTime() + RETENTION_MS + at),
        ...(at < 3 ? { open: true, nextAt: DUE } : { open: false }),
      })),
    );
    await items().insertMany(
      each((owner, at) => ({
        workspaceId: mine,
        jobId: owner === mine ? jobId : owner,
        email: `${at}@example.com`,
        address: `${at}@example.com`,
        createdAt: DUE,
        ...(at < 3 ? { dueAt: DUE } : { open: false, result: at < 6 ? 'valid' : 'invalid' }),
      })),
    );
    const partition = { number: 0, holder: 'x', fence: 0, leaseUntil: new Date(0) };
    const partitions = fixture.model<EnrichmentWorkPartitionRecord>(EnrichmentWorkPartitionRecord);
    await partitions.insertMany(
      each((owner, at) => ({ ...partition, workspaceId: owner, number: at, ...(at < 3 && { nextAt: DUE }) })),
    );
  });
  afterAll(() => fixture.close());

  it('list the jobs of a workspace by an index, without reading others', async () => {
    const plan = await jobs()
      .find({ workspaceId: mine, expiresAt: { $gt: new Date(0) } })
      .sort({ createdAt: -1, _id: -1 })
      .skip(5)
      .limit(25)
      .explain('executionStats');
    expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_createdAt_-1__id_-1"');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: COUNT } });
  });

  it('find the job with a given id', async () => {
    const plan = await jobs()
      .find({ workspaceId: mine, code: `ev_7_${mine.toHexString()}` })
      .explain('executionStats');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: 1 } });
  });

  it('find the next due job without reading finished ones', async () => {
    const plan = await jobs()
      .find({ workspaceId: mine, open: true, nextAt: { $lte: DUE }, expiresAt: { $gt: new Date(0) } })
      .sort({ servedAt: 1, _id: 1 })
      .limit(1)
      .explain('executionStats');
    expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_open_1_servedAt_1__id_1"');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: 3 } });
  });

  it('find expired jobs', async () => {
    const plan = await jobs()
      .find({ createdAt: { $lte: new Date(DUE.getTime() + 4) } })
      .sort({ createdAt: 1 })
      .setOptions(ALL)
      .explain('executionStats');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: 10 } });
  });

  it('find due items of a job in their order, without reading others', async () => {
    const plan = await items()
      .find({ workspaceId: mine, jobId, dueAt: { $gte: new Date(1), $lte: DUE } })
      .sort({ dueAt: 1, _id: 1 })
      .limit(10)
      .explain('executionStats');
    expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_jobId_1_dueAt_1__id_1"');
    expect(JSON.stringify(plan)).not.toContain('"SORT"');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: 3 } });
  });

  it.each([
    ['all', { open: false }, 'workspaceId_1_jobId_1_open_1_createdAt_1__id_1', COUNT - 3],
    ['those of one kind', { result: 'valid' }, 'workspaceId_1_jobId_1_result_1_createdAt_1__id_1', 3],
  ])('list the results of a job, %s, by an index', async (_what, filter, index, count) => {
    const plan = await items()
      .find({ workspaceId: mine, jobId, ...filter })
      .sort({ createdAt: 1, _id: 1 })
      .limit(100)
      .explain('executionStats');
    expect(JSON.stringify(plan)).toContain(`"indexName":"${index}"`);
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: count } });
  });

  it('find the data of a person', async () => {
    const plan = await items().find({ workspaceId: mine, address: '7@example.com' }).explain('executionStats');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: 2 } });
  });

  it('find work partitions with due work, of all workspaces', async () => {
    const plan = await fixture
      .model<EnrichmentWorkPartitionRecord>(EnrichmentWorkPartitionRecord)
      .find({ nextAt: { $gte: new Date(1), $lte: DUE } })
      .sort({ nextAt: 1, _id: 1 })
      .setOptions(ALL)
      .explain('executionStats');
    expect(JSON.stringify(plan)).toContain('"indexName":"nextAt_1__id_1"');
    expect(plan).toMatchObject({ executionStats: { totalDocsExamined: 6 } });
  });
});
