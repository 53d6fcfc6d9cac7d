import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { SYNC_RESULTS, type SyncResult } from './crm-sync-job.record';

const RETENTION_SECONDS = 30 * 86_400;
const text = { type: String, default: '' };

/** The result of one person in a sync. */
@Collection('crm_sync_results', {
  tenant: true,
  indexes: [
    { serves: 'the results of a job, in order', fields: { workspaceId: 1, jobId: 1, createdAt: 1, _id: 1 } },
    {
      serves: 'the results of one kind',
      fields: { workspaceId: 1, jobId: 1, result: 1, createdAt: 1, _id: 1 },
    },
    { serves: 'the erasure of a person', fields: { workspaceId: 1, email: 1 }, where: { email: { $gt: '' } } },
    { serves: 'that old results are forgotten', fields: { createdAt: 1 }, expireAfterSeconds: RETENTION_SECONDS },
  ],
  impersonal: {
    'a code and the name of a field': ['reason', 'field'],
  },
})
export class CrmSyncResultRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  jobId!: Types.ObjectId;

  /** Empty without one, and for suppressed people who are no leads: their address is not stored. */
  @Prop(text)
  email!: string;

  @Prop(text)
  externalId!: string;

  @Prop({ type: Schema.Types.ObjectId, default: null })
  leadId!: Types.ObjectId | null;

  @Prop({ type: String, enum: SYNC_RESULTS, required: true })
  result!: SyncResult;

  /** The reason; empty when the result says it. */
  @Prop(text)
  reason!: string;

  /** For people. */
  @Prop(text)
  message!: string;

  /** The affected field. */
  @Prop(text)
  field!: string;

  /** Dry run: the changes as JSON, because field names come from outside. */
  @Prop(text)
  changes!: string;

  @Prop({ type: Date, required: true })
  createdAt!: Date;
}
