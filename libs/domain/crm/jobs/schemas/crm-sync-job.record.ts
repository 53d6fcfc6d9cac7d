import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { type Actor } from '@domain/access';
import { actorFields } from '@domain/audit';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

export const SYNC_TYPES = ['pull', 'push'] as const;
export type SyncType = (typeof SYNC_TYPES)[number];

export const SYNC_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export type SyncStatus = (typeof SYNC_STATUSES)[number];

export const SYNC_TRIGGERS = ['manual', 'schedule', 'event'] as const;
export type SyncTrigger = (typeof SYNC_TRIGGERS)[number];

/** What becomes of a person in a sync. */
export const SYNC_RESULTS = ['created', 'updated', 'unchanged', 'conflict', 'skipped', 'failed'] as const;
export type SyncResult = (typeof SYNC_RESULTS)[number];
export type SyncCounts = Record<SyncResult, number>;

/** A person that could not be synced. */
export interface SyncError {
  email: string;
  externalId: string;
  code: string;
  message: string;
}

/** Why a job failed, or what it waits for. */
export interface SyncProblem {
  code: string;
  message: string;
}

const whole = { type: Number, required: true, default: 0, min: 0 };
const nested = { _id: false, id: false };
const counts = Object.fromEntries(SYNC_RESULTS.map((result) => [result, whole]));
const RETENTION_SECONDS = 365 * 86_400;

/** People that are brought from a CRM, or to it. Its figures change in the transaction that changes the people. */
@Collection('crm_sync_jobs', {
  tenant: true,
  indexes: [
    { serves: 'the list of jobs, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    { serves: 'the list of a CRM', fields: { workspaceId: 1, crmType: 1, createdAt: -1, _id: -1 } },
    {
      serves: 'the jobs of a CRM that are not over, in the order in which they are done',
      fields: { workspaceId: 1, crmType: 1, open: 1, createdAt: 1, _id: 1 },
      where: { open: true },
    },
    {
      serves: 'the last one that brought the same people',
      fields: { workspaceId: 1, signature: 1, startedAt: -1 },
      where: { status: 'completed' },
    },
    {
      serves: 'the erasure of a person',
      fields: { workspaceId: 1, 'faults.email': 1 },
      where: { failedCount: { $gt: 0 } },
    },
    { serves: 'that old jobs are forgotten', fields: { createdAt: 1 }, expireAfterSeconds: RETENTION_SECONDS },
  ],
})
export class CrmSyncJobRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: CRM_TYPES, required: true })
  crmType!: CrmType;

  /** The connection at its creation: people of another one are other people. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  connectionId!: Types.ObjectId;

  @Prop({ type: String, enum: SYNC_TYPES, required: true })
  jobType!: SyncType;

  @Prop({ type: String, enum: SYNC_STATUSES, required: true, default: 'pending' })
  status!: SyncStatus;

  /** Pending or processing. */
  @Prop({ type: Boolean, required: true, default: true })
  open!: boolean;

  @Prop({ type: String, enum: SYNC_TRIGGERS, required: true })
  trigger!: SyncTrigger;

  /** Nothing is changed on either side: it only tells what would be. */
  @Prop({ type: Boolean, required: true, default: false })
  dryRun!: boolean;

  /** All people, also those of whom nothing is new. */
  @Prop({ type: Boolean, required: true, default: false })
  full!: boolean;

  /** Of a pull: where new people land. Of a push: whose leads; null for those of all campaigns. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  campaignId!: Types.ObjectId | null;

  /** Which people, as JSON: a pull's filter of the CRM's people, or a push's filter of leads. */
  @Prop({ type: String, default: '{}' })
  filter!: string;

  /** The leads of a push that was begun for these; null for others. */
  @Prop({ type: [Schema.Types.ObjectId], default: null })
  leadIds!: Types.ObjectId[] | null;

  /** Of a pull: people that changed since; null: all. */
  @Prop({ type: Date, default: null })
  since!: Date | null;

  /** The same for jobs that bring the same people by the same rules: the next one begins where this one did. */
  @Prop({ type: String, required: true })
  signature!: string;

  /** Where it goes on; null: at the beginning. Of a pull the CRM's word, of a push the place among the leads. */
  @Prop({ type: String, default: null })
  cursor!: string | null;

  /** Of the batch that begins at `cursor`: those that are done. */
  @Prop({ type: [String], default: [] })
  batchDone!: string[];

  /** All were gone through; what is left are those of whom it is not known yet what became of them. */
  @Prop({ type: Boolean, required: true, default: false })
  walked!: boolean;

  /** Fields that the CRM has no more: the job goes on without them. */
  @Prop({ type: [String], default: [] })
  droppedFields!: string[];

  /** Times that it had to begin anew, as the CRM forgot the place. */
  @Prop(whole)
  restarts!: number;

  /** People in all, as far as that is known. */
  @Prop(whole)
  totalRecords!: number;

  @Prop(whole)
  processedRecords!: number;

  @Prop({ type: new Schema(counts, nested), required: true })
  counts!: SyncCounts;

  /** `counts.failed`, for its index. */
  @Prop(whole)
  failedCount!: number;

  /** Requests to the CRM. */
  @Prop(whole)
  apiCalls!: number;

  /** The first of those that failed. */
  @Prop({
    type: [new Schema({ email: String, externalId: String, code: String, message: String }, nested)],
    default: [],
  })
  faults!: SyncError[];

  /** Why it failed; null for any other. */
  @Prop({ type: new Schema({ code: String, message: String }, nested), default: null })
  problem!: SyncProblem | null;

  /** What it waits for, when that is somebody else; null while it gets on. */
  @Prop({ type: new Schema({ code: String, message: String }, nested), default: null })
  delay!: SyncProblem | null;

  /** When it last got on, or was begun. */
  @Prop({ type: Date, required: true })
  progressAt!: Date;

  /** One more with each change: what was read of it before is out of date. */
  @Prop(whole)
  revision!: number;

  @Prop({ type: actorFields, required: true })
  createdBy!: Actor;

  @Prop({ type: Date, default: null })
  startedAt!: Date | null;

  /** When it was over, however. */
  @Prop({ type: Date, default: null })
  completedAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
