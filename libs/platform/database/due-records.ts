import { type Model, type Types } from 'mongoose';

/** A record that is due for its turn, which one worker at a time holds by a lease. */
export interface DueRecord {
  readonly _id: Types.ObjectId;
  readonly workspaceId: Types.ObjectId;
  readonly nextAt: Date;
  readonly fence: number;
  /** Whether somebody has it, by the database's clock. */
  readonly isLeased: boolean;
}

/** Records that are read at once. */
const BATCH = 500;
/** The first moment that indexes of nothing but planned turns hold. */
const FIRST = new Date(1);

/**
 * All records of all workspaces that are due, in pages, those due for longest first. They have `nextAt`, `leaseUntil` and
 * `fence`, and an index on `nextAt` and `_id`.
 * @param why for the tenant guard
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
        { $project: { workspaceId: 1, nextAt: 1, fence: 1, isLeased: { $gt: ['$leaseUntil', '$$NOW'] } } },
      ])
      .option({ allWorkspaces: why });
    yield page;
    after = page.length < BATCH ? undefined : page.at(-1);
  } while (after);
}
