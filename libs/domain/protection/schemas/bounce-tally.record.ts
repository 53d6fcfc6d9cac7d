import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** Emails of one subject that were sent on a day of UTC, and those of them that came back, whenever they did. */
@Collection('bounce_tallies', {
  tenant: true,
  indexes: [
    {
      serves: 'what counts for a subject, and that a day counts once',
      fields: { workspaceId: 1, subject: 1, since: 1, day: 1 },
      unique: true,
    },
    { serves: 'that days nobody counts any more are forgotten', fields: { endsAt: 1 }, expireAfterSeconds: 0 },
  ],
})
export class BounceTallyRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** `<kind>:<key>`, as `ProtectedSubjectRecord` has it. */
  @Prop({ type: String, required: true })
  subject!: string;

  /** That of the subject when it was counted: a new one begins with nothing. */
  @Prop({ type: Date, default: null })
  since!: Date | null;

  /** Its beginning. */
  @Prop({ type: Date, required: true })
  day!: Date;

  @Prop({ type: Number, required: true, default: 0 })
  sends!: number;

  @Prop({ type: Number, required: true, default: 0 })
  bounces!: number;

  /** From then on it is outside of every window. */
  @Prop({ type: Date, required: true })
  endsAt!: Date;
}
