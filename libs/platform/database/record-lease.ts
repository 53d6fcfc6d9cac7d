import { randomUUID } from 'node:crypto';
import { type Model, Types } from 'mongoose';
import { parseId } from './object-id';

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
  readonly failedRuns?: number | null;
}

/** The end of a run. */
export interface RecordRunEnd {
  /** The next run; null: none. */
  readonly nextAt: Date | null;
  readonly failedRuns: number;
  /** Further fields of the record, as expressions of an aggregation. */
  readonly fields?: object | undefined;
}

export const NO_LEASE = new Date(0);
export const SCHEDULED_RUN_FIELDS = { workspaceId: 1, nextAt: 1, fence: 1 } as const;

/**
 * Acquires the lease of a record for `leaseMs` milliseconds by the database's clock; null while another worker holds it, or
 * for an unknown record. The record stays due until `releaseRecordLease`, so that the sweep finds it if this process crashes.
 * The records need `holder`, `fence`, `leaseUntil`, `nextAt` and `requestedFor`.
 * @param fields further fields of the record that the acquisition sets, as expressions of an aggregation
 * @param why reason for the tenant guard
 * @returns the lease, and the record under it
 */
export async function acquireRecordLease<R>(
  records: Model<R>,
  recordId: string,
  { leaseMs, now, why, fields = {} }: { leaseMs: number; now: Date; why: string; fields?: Record<string, unknown> },
): Promise<{ lease: RecordLease; record: R } | null> {
  const holder = randomUUID();
  const after = await toLeasedModel(records).findOneAndUpdate(
    { _id: parseId(recordId) },
    [
      {
        $set: {
          ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, ifFree(value, `$${name}`)])),
          holder: ifFree(holder, '$holder'),
          fence: ifFree({ $add: ['$fence', 1] }, '$fence'),
          leaseUntil: ifFree({ $add: ['$$NOW', leaseMs] }, '$leaseUntil'),
          nextAt: ifFree({ $min: ['$nextAt', now] }, '$nextAt'),
          requestedFor: ifFree('$$REMOVE', '$requestedFor'),
        },
      },
    ],
    { returnDocument: 'after', lean: true, updatePipeline: true, timestamps: false, allWorkspaces: why },
  );
  if (after?.holder !== holder) return null;
  const { workspaceId, fence, failedRuns } = after;
  const lease = { workspaceId: workspaceId.toHexString(), holder, fence, failedRuns: failedRuns ?? 0 };
  return { lease, record: after as R };
}

/**
 * Extends the lease by `leaseMs` milliseconds; false when it has expired, and then no further work may begin under it. Joins the
 * running transaction, which then commits only under the lease.
 */
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
  { nextAt, failedRuns, fields }: RecordRunEnd,
): Promise<ScheduledRun | null> {
  const next = { $min: [nextAt, '$requestedFor'] }; // null and absent values are ignored
  return toLeasedModel(records)
    .findOneAndUpdate(
      toHolderFilter(recordId, lease),
      [
        { $set: { holder: '', fence: { $add: ['$fence', 1] }, leaseUntil: NO_LEASE, nextAt: next, ...fields } },
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
export function toHolderFilter(
  recordId: string,
  { workspaceId, holder, fence }: Pick<RecordLease, 'workspaceId' | 'holder' | 'fence'>,
) {
  return { _id: new Types.ObjectId(recordId), workspaceId: new Types.ObjectId(workspaceId), holder, fence };
}

/** `value` if no lease is in force by the database's clock, otherwise `otherwise`. */
function ifFree(value: unknown, otherwise: unknown) {
  return { $cond: [{ $lte: ['$leaseUntil', '$$NOW'] }, value, otherwise] };
}
