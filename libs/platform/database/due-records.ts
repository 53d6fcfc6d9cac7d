import { type Model, type Types } from 'mongoose';

/** A record with a due run, which one worker at a time does under a lease. */
export interface DueRecord {
  readonly _id: Types.ObjectId;
  readonly workspaceId: Types.ObjectId;
  readonly nextAt: Date;
  readonly fence: number;
  /** Milliseconds until the lease of a worker ends, by the database's clock; 0 without a lease. */
  readonly leasedForMs: number;
}

/** Records per page. */
const BATCH = 500;
/** Earlier than every due time. `nextAt` is absent from records without a planned run. */
const FIRST = new Date(1);
const LEASED_FOR = { $max: [0, { $subtract: ['$leaseUntil', '$$NOW'] }] };

/**
 * Yields the due records of all workspaces in pages, oldest due time first. The records need `nextAt`, `leaseUntil` and
 * `fence`, and an index on `nextAt` and `_id`.
 * @param why reason for the tenant guard
 */
export async function* dueRecords<R>(records: Model<R>, dueBy: Date, why: string): AsyncGenerator<DueRecord[]> {
  let after: DueRecord | undefined;
  do {
    const from = after?.nextAt ?? FIRST;
    const beyond = after ? [{ $match: { $or: [{ nextAt: { $gt: from } }, { _id: { $gt: after._id } }] } }] : [];
    const page = await records
      .aggregate<DueRecord>([
        { $match: { nextAt: { $gte: from, $lte: dueBy } } },
        ...beyond,
        { $sort: { nextAt: 1, _id: 1 } },
        { $limit: BATCH },
        { $project: { workspaceId: 1, nextAt: 1, fence: 1, leasedForMs: LEASED_FOR } },
      ])
      .option({ allWorkspaces: why });
    yield page;
    after = page.length < BATCH ? undefined : page.at(-1);
  } while (after);
}
