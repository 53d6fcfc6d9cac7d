import { type SyncFacts, syncsCounted } from './invariants-syncs';

const counts = { created: 2, updated: 0, unchanged: 1, conflict: 0, skipped: 0, failed: 1 };
const job = { _id: 'j', status: 'completed', totalRecords: 4, processedRecords: 4, failedCount: 1, counts };
const result = (name: string, count: number) => ({ jobId: 'j', result: name, count });
const link = (email: string, externalId: string) => ({ connectionId: 'c', email, externalId });
const RIGHT: SyncFacts = {
  jobs: [job],
  results: [result('created', 2), result('unchanged', 1), result('failed', 1)],
  links: [link('ada@example.com', '1'), link('bob@example.com', ''), link('eve@example.com', '')],
};
const found = (facts: Partial<SyncFacts>) => [...syncsCounted({ ...RIGHT, ...facts })];

describe('the invariant of syncs', () => {
  it('finds nothing where nothing is wrong', () => {
    expect(found({})).toEqual([]);
  });

  it.each<[string, Partial<SyncFacts>]>([
    ['somebody is done of whom nothing became', { jobs: [{ ...job, totalRecords: 5, processedRecords: 5 }] }],
    ['one who failed is not counted', { jobs: [{ ...job, failedCount: 0 }] }],
    ['it is completed before all are done', { jobs: [{ ...job, totalRecords: 9 }] }],
    ['more are done than there are', { jobs: [{ ...job, status: 'processing', totalRecords: 3 }] }],
    ['there is no result of somebody', { results: RIGHT.results.slice(1) }],
    ['somebody is linked twice', { links: [link('ada@example.com', '1'), link('ada@example.com', '2')] }],
    ['two are linked with one', { links: [link('ada@example.com', '1'), link('bob@example.com', '1')] }],
  ])('sees that %s', (_what, facts) => {
    expect(found(facts)).not.toEqual([]);
  });
});
