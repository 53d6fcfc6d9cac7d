import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** Emails of a subject that were sent on a day (UTC), and their hard bounces at any later time. */
@Collection('bounce_tallies', {
  tenant: true,
  indexes: [
    {
      serves: 'one record per day of a subject; the counts of a subject',
      fields: { workspaceId: 1, subject: 1, since: 1, day: 1 },
      unique: true,
    },
    { serves: 'expiry of days outside every window', fields: { endsAt: 1 }, expireAfterSeconds: 0 },
  ],
  impersonal: {
    'a campaign, a mailbox or a sender domain': ['subject'],
  },
})
export class BounceTallyRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** `<kind>:<key>`, as in `ProtectedSubjectRecord`. */
  @Prop({ type: String, required: true })
  subject!: string;

  /** `since` of the subject at that time: a new value starts a new count. */
  @Prop({ type: Date, default: null })
  since!: Date | null;

  /** Start of the day. */
  @Prop({ type: Date, required: true })
  day!: Date;

  @Prop({ type: Number, required: true, default: 0 })
  sends!: number;

  @Prop({ type: Number, required: true, default: 0 })
  bounces!: number;

  /** When it leaves every window. */
  @Prop({ type: Date, required: true })
  endsAt!: Date;
}
