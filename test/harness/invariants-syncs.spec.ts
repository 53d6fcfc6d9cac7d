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
  it('reports nothing for valid facts', () => {
    expect(found({})).toEqual([]);
  });

  it.each<[string, Partial<SyncFacts>]>([
    ['a person is counted without a result', { jobs: [{ ...job, totalRecords: 5, processedRecords: 5 }] }],
    ['a failed person is not counted', { jobs: [{ ...job, failedCount: 0 }] }],
    ['a job is completed before all people are processed', { jobs: [{ ...job, totalRecords: 9 }] }],
    ['more people are processed than exist', { jobs: [{ ...job, status: 'processing', totalRecords: 3 }] }],
    ['a person has no result', { results: RIGHT.results.slice(1) }],
    ['a person is linked twice', { links: [link('ada@example.com', '1'), link('ada@example.com', '2')] }],
    ['two people are linked with one', { links: [link('ada@example.com', '1'), link('bob@example.com', '1')] }],
  ])('finds that %s', (_what, facts) => {
    expect(found(facts)).not.toEqual([]);
  });
});
