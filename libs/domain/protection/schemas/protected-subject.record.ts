import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type BounceEvidence } from '../rate/bounce-rate';

const PROTECTED_KINDS = ['campaign', 'mailbox', 'domain'] as const;
export type ProtectedKind = (typeof PROTECTED_KINDS)[number];

/** Evidence of a stop, with the counted days. */
export interface StopEvidence extends BounceEvidence {
  from: Date;
  to: Date;
}

const number = { type: Number, required: true };

/** A campaign, mailbox or sending domain with bounces: whether it is due for evaluation, and whether it was stopped. */
@Collection('protected_subjects', {
  tenant: true,
  indexes: [
    { serves: 'one record per subject', fields: { workspaceId: 1, subject: 1 }, unique: true },
    { serves: 'subjects that are due for evaluation', fields: { due: 1, _id: 1 }, where: { due: true } },
  ],
  impersonal: {
    'a campaign, a mailbox or a sender domain': ['subject', 'key'],
  },
})
export class ProtectedSubjectRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** `<kind>:<key>`. */
  @Prop({ type: String, required: true })
  subject!: string;

  @Prop({ type: String, enum: PROTECTED_KINDS, required: true })
  kind!: ProtectedKind;

  /** Id of the campaign or mailbox, or the domain. */
  @Prop({ type: String, required: true })
  key!: string;

  /** Only later emails count, since a person has resumed it then. null: all. */
  @Prop({ type: Date, default: null })
  since!: Date | null;

  /** Whether a bounce was counted since the last evaluation, or a stop is incomplete. */
  @Prop({ type: Boolean, required: true, default: false })
  due!: boolean;

  /** Grows with every reason for an evaluation, so that an evaluation only clears what it has read. */
  @Prop({ type: Number, required: true, default: 0 })
  marks!: number;

  /** When it was stopped; null before, and after a person has resumed it. */
  @Prop({ type: Date, default: null })
  stoppedAt!: Date | null;

  /** Whether the stop may be incomplete, for example after a crash. */
  @Prop({ type: Boolean, required: true, default: false })
  pending!: boolean;

  /** Evidence of the last stop; it stays after a resume. */
  @Prop({
    type: new Schema(
      { sends: number, bounces: number, rate: number, bound: number, from: Date, to: Date },
      { _id: false, id: false },
    ),
    default: null,
  })
  evidence!: StopEvidence | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
