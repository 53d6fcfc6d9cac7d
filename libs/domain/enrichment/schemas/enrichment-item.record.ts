import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** The `result` of an item that could not be carried out. */
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
    { serves: 'what is known of a person, for its erasure', fields: { workspaceId: 1, address: 1 } },
  ],
})
export class EnrichmentItemRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  jobId!: Types.ObjectId;

  /** As it was given; may be no address at all, and even empty. */
  @Prop({ type: String })
  email!: string;

  /** For comparing: its normal form, where it has one. Once in a job. */
  @Prop({ type: String })
  address!: string;

  @Prop({ type: Schema.Types.ObjectId, default: null })
  leadId!: Types.ObjectId | null;

  /** There is no result yet. */
  @Prop({ type: Boolean, required: true, default: true })
  open!: boolean;

  /** When it is to be taken up: now, later, or, while somebody has it in hand, when that has taken too long. Absent when it is over. */
  @Prop({ type: Date })
  dueAt?: Date;

  /** Who has it in hand: only they may write what became of it. Absent while nobody has. */
  @Prop({ type: Schema.Types.ObjectId })
  claim?: Types.ObjectId;

  /** Times that it was taken up: one that kills whoever works on it is given up. */
  @Prop({ type: Number, required: true, default: 0 })
  claims!: number;

  /** Times that there was no answer yet. */
  @Prop({ type: Number, required: true, default: 0 })
  attempts!: number;

  /** A tool has it that is to call back by `dueAt`. */
  @Prop({ type: Boolean })
  handed?: boolean;

  /** The person was erased: nothing more is found out about them. */
  @Prop({ type: Boolean })
  erased?: boolean;

  /** A word of the work's own, or `failed`; absent while it is open. */
  @Prop({ type: String })
  result?: string;

  @Prop({ type: [String], default: [] })
  reasons!: string[];

  /** Whether it was paid for. */
  @Prop({ type: Boolean, required: true, default: false })
  charged!: boolean;

  /** What else was found out, as JSON: names of fields may come from outside, and are no names of fields here. */
  @Prop({ type: String, default: '{}' })
  detail!: string;

  @Prop({ type: Date, default: null })
  checkedAt!: Date | null;

  /** The same for all items of a job. */
  @Prop({ type: Date, required: true })
  createdAt!: Date;
}
