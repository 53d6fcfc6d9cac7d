import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type BounceEvidence } from '../rate/bounce-rate';

const PROTECTED_KINDS = ['campaign', 'mailbox', 'domain'] as const;
export type ProtectedKind = (typeof PROTECTED_KINDS)[number];

/** The evidence of a stop, with the days whose emails were counted. */
export interface StopEvidence extends BounceEvidence {
  from: Date;
  to: Date;
}

const number = { type: Number, required: true };

/** A campaign, mailbox or sending domain of which emails came back: whether it is to be looked at, and whether it was stopped. */
@Collection('protected_subjects', {
  tenant: true,
  indexes: [
    { serves: 'how a subject stands, and that it stands once', fields: { workspaceId: 1, subject: 1 }, unique: true },
    { serves: 'what is still to be looked at', fields: { due: 1, _id: 1 }, where: { due: true } },
  ],
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

  /** The id of the campaign or mailbox, or the domain. */
  @Prop({ type: String, required: true })
  key!: string;

  /** Only emails sent after that count: a person had looked at what was before. null: all. */
  @Prop({ type: Date, default: null })
  since!: Date | null;

  /** Whether something came back since it was last looked at, or a stop is not carried out yet. */
  @Prop({ type: Boolean, required: true, default: false })
  due!: boolean;

  /** Grows with every reason to look: who has looked takes back only what was seen. */
  @Prop({ type: Number, required: true, default: 0 })
  marks!: number;

  /** When it was stopped; null when a person has looked at that, and before. */
  @Prop({ type: Date, default: null })
  stoppedAt!: Date | null;

  /** Whether the stop may not be carried out yet: whoever does it may have died. */
  @Prop({ type: Boolean, required: true, default: false })
  pending!: boolean;

  /** Of the last stop; it stays when a person has looked at it. */
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
