import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { groupedBy, type Observed } from './invariants-facts';

interface SyncJobFacts {
  readonly _id: unknown;
  readonly status: string;
  readonly totalRecords: number;
  readonly processedRecords: number;
  readonly failedCount: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** Stored records of CRM syncs. */
export interface SyncFacts {
  readonly jobs: readonly SyncJobFacts[];
  /** Number of results of each kind by job. */
  readonly results: readonly { readonly jobId: unknown; readonly result: string; readonly count: number }[];
  readonly links: readonly { readonly connectionId: unknown; readonly email: string; readonly externalId: string }[];
}

/** Read directly from the database. */
export async function syncFacts({ app }: Observed, workspaceId: string): Promise<SyncFacts> {
  const connection = app.get<Connection>(getConnectionToken());
  const own = { workspaceId: new Types.ObjectId(workspaceId) };
  const results = connection.collection('crm_sync_results').aggregate<{
    _id: { jobId: unknown; result: string };
    count: number;
  }>([{ $match: own }, { $group: { _id: { jobId: '$jobId', result: '$result' }, count: { $sum: 1 } } }]);
  return {
    jobs: (await connection.collection('crm_sync_jobs').find(own).toArray()) as unknown as SyncJobFacts[],
    results: (await results.toArray()).map(({ _id, count }) => ({ ..._id, count })),
    links: (await connection.collection('crm_links').find(own).toArray()) as unknown as SyncFacts['links'],
  };
}

/**
 * 3 for syncs: at all times the number of finished people equals the sum of the results, each person has one result,
 * and no person is linked twice.
 */
export function* syncsCounted({ jobs, results, links }: SyncFacts): Generator<string> {
  const byJob = groupedBy([...results], ({ jobId }) => String(jobId));
  for (const job of jobs) {
    const { counts, processedRecords, totalRecords, failedCount, status } = job;
    const name = `sync ${String(job._id)}`;
    const sum = Object.values(counts).reduce((one, other) => one + other, 0);
    if (processedRecords !== sum) yield `3: ${name} has ${processedRecords} done and results of ${sum}`;
    if (failedCount !== counts['failed']) yield `3: ${name} counts ${failedCount} and ${counts['failed']} who failed`;
    if (processedRecords > totalRecords) yield `3: ${name} has more done than there are`;
    if (status === 'completed' && processedRecords !== totalRecords) yield `3: ${name} is completed and not done`;
    const found = new Map((byJob.get(String(job._id)) ?? []).map(({ result, count }) => [result, count]));
    for (const [result, count] of Object.entries(counts)) {
      if ((found.get(result) ?? 0) !== count)
        yield `3: ${name} counts ${count} ${result} and has ${found.get(result) ?? 0}`;
    }
  }
  for (const key of ['email', 'externalId'] as const) {
    const linked = links.filter((link) => link[key] !== '');
    for (const [name, same] of groupedBy(linked, (link) => `${String(link.connectionId)} ${link[key]}`)) {
      if (same.length > 1) yield `3: linked ${same.length} times: ${name}`;
    }
  }
}
