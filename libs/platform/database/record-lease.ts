import { randomUUID } from 'node:crypto';
import { type Model, Types } from 'mongoose';

/** The exclusive right to do the due work of a record, until the lease expires. */
export interface RecordLease {
  readonly workspaceId: string;
  readonly holder: string;
  readonly fence: number;
  /** Consecutive earlier runs that ended in an error. */
  readonly failedRuns: number;
}

/** The next run of a record; none is planned without `nextAt`. */
export interface ScheduledRun {
  readonly _id: Types.ObjectId;
  readonly workspaceId: Types.ObjectId;
  readonly nextAt?: Date;
  readonly fence: number;
}

interface LeasedRecord extends ScheduledRun {
  readonly holder: string;
  readonly failedRuns?: number;
}

export const NO_LEASE = new Date(0);
export const SCHEDULED_RUN_FIELDS = { workspaceId: 1, nextAt: 1, fence: 1 } as const;

/**
 * Acquires the lease of a record for `leaseMs` milliseconds by the database's clock; null while another worker holds it, or
 * for an unknown record. The record stays due until `releaseRecordLease`, so that the sweep finds it if this process crashes.
 * The records need `holder`, `fence`, `leaseUntil`, `nextAt` and `requestedFor`.
 * @param why reason for the tenant guard
 */
export async function acquireRecordLease<R>(
  records: Model<R>,
  recordId: string,
  { leaseMs, now, why }: { leaseMs: number; now: Date; why: string },
): Promise<RecordLease | null> {
  const holder = randomUUID();
  const after = await toLeasedModel(records).findOneAndUpdate(
    { _id: new Types.ObjectId(recordId) },
    [
      {
        $set: {
          holder: ifFree(holder, '$holder'),
          fence: ifFree({ $add: ['$fence', 1] }, '$fence'),
          leaseUntil: ifFree({ $add: ['$$NOW', leaseMs] }, '$leaseUntil'),
          nextAt: ifFree({ $min: ['$nextAt', now] }, '$nextAt'),
          requestedFor: ifFree('$$REMOVE', '$requestedFor'),
        },
      },
    ],
    { returnDocument: 'after', lean: true, updatePipeline: true, allWorkspaces: why },
  );
  if (after?.holder !== holder) return null;
  const { workspaceId, fence, failedRuns = 0 } = after;
  return { workspaceId: workspaceId.toHexString(), holder, fence, failedRuns };
}

/** Extends the lease by `leaseMs` milliseconds; false when it has expired, and then no further work may begin under it. */
export async function renewRecordLease<R>(
  records: Model<R>,
  recordId: string,
  lease: RecordLease,
  leaseMs: number,
): Promise<boolean> {
  const { matchedCount } = await toLeasedModel(records).updateOne(
    toHolderFilter(recordId, lease),
    [{ $set: { leaseUntil: { $add: ['$$NOW', leaseMs] } } }],
    { updatePipeline: true },
  );
  return matchedCount === 1;
}

/**
 * Releases the lease and plans the next run: at `nextAt` (null: none), or at the earlier `requestedFor` that was set meanwhile. Null
 * when the lease has expired: then its next holder plans.
 */
export async function releaseRecordLease<R>(
  records: Model<R>,
  recordId: string,
  lease: RecordLease,
  { nextAt, failedRuns }: { nextAt: Date | null; failedRuns: number },
): Promise<ScheduledRun | null> {
  const next = { $min: [nextAt, '$requestedFor'] }; // null and absent values are ignored
  return toLeasedModel(records)
    .findOneAndUpdate(
      toHolderFilter(recordId, lease),
      [
        { $set: { holder: '', fence: { $add: ['$fence', 1] }, leaseUntil: NO_LEASE, nextAt: next } },
        {
          $set: {
            nextAt: { $ifNull: ['$nextAt', '$$REMOVE'] },
            requestedFor: '$$REMOVE',
            failedRuns: failedRuns || '$$REMOVE',
          },
        },
      ],
      { returnDocument: 'after', updatePipeline: true, projection: SCHEDULED_RUN_FIELDS },
    )
    .lean<ScheduledRun | null>();
}

function toLeasedModel<R>(records: Model<R>): Model<LeasedRecord> {
  return records as unknown as Model<LeasedRecord>;
}

/** Matches the record only while this lease is in force. */
function toHolderFilter(recordId: string, { workspaceId, holder, fence }: RecordLease) {
  return { _id: new Types.ObjectId(recordId), workspaceId: new Types.ObjectId(workspaceId), holder, fence };
}

/** `value` if no lease is in force by the database's clock, otherwise `otherwise`. */
function ifFree(value: unknown, otherwise: unknown) {
  return { $cond: [{ $lte: ['$leaseUntil', '$$NOW'] }, value, otherwise] };
}
