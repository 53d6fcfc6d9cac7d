import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** The `result` of an item that could not be processed. */
export const FAILED = 'failed';

/** One address of a job. */
@Collection('enrichment_items', {
  tenant: true,
  indexes: [
    {
      serves: 'the items of a job that are due, longest due first',
      fields: { workspaceId: 1, jobId: 1, dueAt: 1, _id: 1 },
      where: { dueAt: { $gt: new Date(0) } },
    },
    {
      serves: 'the results of a job, in the order of its addresses, and all items of a job',
      fields: { workspaceId: 1, jobId: 1, open: 1, createdAt: 1, _id: 1 },
    },
    {
      serves: 'the results of one kind',
      fields: { workspaceId: 1, jobId: 1, result: 1, createdAt: 1, _id: 1 },
      where: { result: { $gt: '' } },
    },
    { serves: 'the items about a person, for erasure', fields: { workspaceId: 1, address: 1 } },
  ],
  impersonal: {
    'codes of results': ['result', 'reasons'],
  },
})
export class EnrichmentItemRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  jobId!: Types.ObjectId;

  /** As given; may be invalid, and even empty. */
  @Prop({ type: String })
  email!: string;

  /** Normal form for comparisons, if the address has one. Unique in a job. */
  @Prop({ type: String })
  address!: string;

  @Prop({ type: Schema.Types.ObjectId, default: null })
  leadId!: Types.ObjectId | null;

  /** Whether there is no result yet. */
  @Prop({ type: Boolean, required: true, default: true })
  open!: boolean;

  /** The time of the next attempt, or, while the item is claimed, the end of the claim. Absent after the end. */
  @Prop({ type: Date })
  dueAt?: Date;

  /** The token of the claim: only its worker may settle the item. Absent without a claim. */
  @Prop({ type: Schema.Types.ObjectId })
  claim?: Types.ObjectId;

  /** Number of claims: an item that crashes its workers is ended. */
  @Prop({ type: Number, required: true, default: 0 })
  claims!: number;

  /** Number of attempts without an answer. */
  @Prop({ type: Number, required: true, default: 0 })
  attempts!: number;

  /** Submitted to a tool that calls back until `dueAt`. */
  @Prop({ type: Boolean })
  handed?: boolean;

  /** The person was erased: nothing more is requested about them. */
  @Prop({ type: Boolean })
  erased?: boolean;

  /** A result of the handler, or `failed`; absent while the item is open. */
  @Prop({ type: String })
  result?: string;

  @Prop({ type: [String], default: [] })
  reasons!: string[];

  /** Whether the item was charged. */
  @Prop({ type: Boolean, required: true, default: false })
  charged!: boolean;

  /** Further details as JSON, because field names from outside are no names of stored fields. */
  @Prop({ type: String, default: '{}' })
  detail!: string;

  @Prop({ type: Date, default: null })
  checkedAt!: Date | null;

  /** The same for all items of a job. */
  @Prop({ type: Date, required: true })
  createdAt!: Date;
}
