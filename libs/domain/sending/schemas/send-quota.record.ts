import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/**
 * What a campaign has used of one of its daily limits, over all its mailboxes. Exists only for campaigns with such a
 * limit.
 */
@Collection('send_quotas', {
  tenant: true,
  indexes: [
    {
      serves: 'the used number of a quota, one record for each',
      fields: { workspaceId: 1, campaignId: 1, day: 1, name: 1 },
      unique: true,
    },
    {
      serves: 'removes quotas that no reader needs any more',
      fields: { createdAt: 1 },
      expireAfterSeconds: 7 * 86_400,
    },
  ],
  impersonal: {
    'a day, and the name of a limit, which may be by domain': ['day', 'name'],
  },
})
export class SendQuotaRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  campaignId!: Types.ObjectId;

  /** YYYY-MM-DD in the zone of the campaign's schedule. */
  @Prop({ type: String, required: true })
  day!: string;

  /**
   * `all`, `new`, `@<domain>`; `since <time>` marks that emails sent before a limit was switched on at that time are
   * counted.
   */
  @Prop({ type: String, required: true })
  name!: string;

  @Prop({ type: Number, required: true, default: 0 })
  used!: number;

  /** Of `since <time>`: emails in flight at that time. They are counted although they reserved no place. */
  @Prop({ type: [Schema.Types.ObjectId], default: undefined })
  unplaced?: Types.ObjectId[];

  @Prop({ type: Date })
  createdAt!: Date;
}
