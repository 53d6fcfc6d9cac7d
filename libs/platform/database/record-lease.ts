import { randomUUID } from 'node:crypto';
import { type Model, Types } from 'mongoose';

/** The right to do a turn, until its lease runs out. */
export interface RecordLease {
  readonly workspaceId: string;
  readonly holder: string;
  readonly fence: number;
}

/** A turn that is planned; without `nextAt` none is. */
export interface ScheduledRun {
  readonly _id: Types.ObjectId;
  readonly workspaceId: Types.ObjectId;
  readonly nextAt?: Date;
  readonly fence: number;
}

interface LeasedRecord extends ScheduledRun {
  readonly holder: string;
}

export const NO_LEASE = new Date(0);
export const SCHEDULED_RUN_FIELDS = { workspaceId: 1, nextAt: 1, fence: 1 } as const;

/**
 * The turn of a record for `leaseMs` milliseconds by the database's clock; null while somebody else has it, or when there is no such
 * record. It counts as due until `releaseRecordLease`: when this process dies, whoever looks for due turns finds it after the lease. Records
 * have `holder`, `fence`, `leaseUntil`, `nextAt` and `wokenFor`.
 * @param why for the tenant guard
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
          wokenFor: ifFree('$$REMOVE', '$wokenFor'),
        },
      },
    ],
    { returnDocument: 'after', lean: true, updatePipeline: true, allWorkspaces: why },
  );
  return after?.holder === holder ? { workspaceId: after.workspaceId.toHexString(), holder, fence: after.fence } : null;
}

/** Holds the turn for `leaseMs` more milliseconds; false when it was lost, and then nothing more may be begun in it. */
export async function renewRecordLease<R>(
  records: Model<R>,
  recordId: string,
  turn: RecordLease,
  leaseMs: number,
): Promise<boolean> {
  const { matchedCount } = await toLeasedModel(records).updateOne(
    toHolderFilter(recordId, turn),
    [{ $set: { leaseUntil: { $add: ['$$NOW', leaseMs] } } }],
    { updatePipeline: true },
  );
  return matchedCount === 1;
}

/**
 * Ends the turn and plans the next one: at `nextAt` (null: none), or earlier if it was woken for an earlier time since the turn
 * began. Null when it was lost: then whoever has it plans.
 */
export async function releaseRecordLease<R>(
  records: Model<R>,
  recordId: string,
  turn: RecordLease,
  nextAt: Date | null,
): Promise<ScheduledRun | null> {
  const next = { $min: [nextAt, '$wokenFor'] }; // null and what is absent are ignored here
  return toLeasedModel(records)
    .findOneAndUpdate(
      toHolderFilter(recordId, turn),
      [
        { $set: { holder: '', fence: { $add: ['$fence', 1] }, leaseUntil: NO_LEASE, nextAt: next } },
        { $set: { nextAt: { $ifNull: ['$nextAt', '$$REMOVE'] }, wokenFor: '$$REMOVE' } },
      ],
      { returnDocument: 'after', updatePipeline: true, projection: SCHEDULED_RUN_FIELDS },
    )
    .lean<ScheduledRun | null>();
}

function toLeasedModel<R>(records: Model<R>): Model<LeasedRecord> {
  return records as unknown as Model<LeasedRecord>;
}

/** Only the holder's filter: without effect as soon as somebody else took the turn, or it ended. */
function toHolderFilter(recordId: string, { workspaceId, holder, fence }: RecordLease) {
  return { _id: new Types.ObjectId(recordId), workspaceId: new Types.ObjectId(workspaceId), holder, fence };
}

/** One value if nobody holds the turn, by the database's clock, another if somebody does. */
function ifFree(value: unknown, otherwise: unknown) {
  return { $cond: [{ $lte: ['$leaseUntil', '$$NOW'] }, value, otherwise] };
}
