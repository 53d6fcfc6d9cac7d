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

/** The result of a person in a sync. */
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

/** Why a job failed or waits. */
export interface SyncProblem {
  code: string;
  message: string;
}

const whole = { type: Number, required: true, default: 0, min: 0 };
const nested = { _id: false, id: false };
const counts = Object.fromEntries(SYNC_RESULTS.map((result) => [result, whole]));
const RETENTION_SECONDS = 365 * 86_400;

/** A pull from or a push to a CRM. Its counts change in the transaction that changes the people. */
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
  impersonal: {
    'rules that select people, and a position among them': ['filter', 'signature', 'cursor', 'droppedFields'],
    'codes of errors, in our words': ['faults.code', 'problem', 'delay'],
    'a user or a key of the workspace': ['createdBy'],
  },
})
export class CrmSyncJobRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: CRM_TYPES, required: true })
  crmType!: CrmType;

  /** The connection at its creation; another one has other people. */
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

  /** A dry run changes nothing and reports what would change. */
  @Prop({ type: Boolean, required: true, default: false })
  dryRun!: boolean;

  /** All people, also unchanged ones. */
  @Prop({ type: Boolean, required: true, default: false })
  full!: boolean;

  /** Pull: the campaign of new people. Push: whose leads; null for all campaigns. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  campaignId!: Types.ObjectId | null;

  /** JSON: the pull's filter of CRM people or the push's filter of leads. */
  @Prop({ type: String, default: '{}' })
  filter!: string;

  /** The listed leads of a push; null otherwise. */
  @Prop({ type: [Schema.Types.ObjectId], default: null })
  leadIds!: Types.ObjectId[] | null;

  /** Of a pull: people that changed since; null: all. */
  @Prop({ type: Date, default: null })
  since!: Date | null;

  /** Equal for jobs with the same filter and rules: the next one continues from the start of this one. */
  @Prop({ type: String, required: true })
  signature!: string;

  /** The position; null at the start. Pull: the CRM's cursor. Push: the position among the leads. */
  @Prop({ type: String, default: null })
  cursor!: string | null;

  /** Completed people of the batch at `cursor`. */
  @Prop({ type: [String], default: [] })
  batchDone!: string[];

  /** All people were processed; only those with an unknown outcome remain. */
  @Prop({ type: Boolean, required: true, default: false })
  walked!: boolean;

  /** Fields that the CRM no longer has; the job continues without them. */
  @Prop({ type: [String], default: [] })
  droppedFields!: string[];

  /** Restarts after the CRM lost the cursor. */
  @Prop(whole)
  restarts!: number;

  /** Total number of people, if known. */
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

  /** The external cause of a wait; null while it progresses. */
  @Prop({ type: new Schema({ code: String, message: String }, nested), default: null })
  delay!: SyncProblem | null;

  /** Time of the last progress, or of the creation. */
  @Prop({ type: Date, required: true })
  progressAt!: Date;

  /** Grows with each change: earlier reads are outdated. */
  @Prop(whole)
  revision!: number;

  @Prop({ type: actorFields, required: true })
  createdBy!: Actor;

  @Prop({ type: Date, default: null })
  startedAt!: Date | null;

  /** When it ended, with any outcome. */
  @Prop({ type: Date, default: null })
  completedAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
