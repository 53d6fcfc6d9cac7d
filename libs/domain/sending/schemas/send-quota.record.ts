import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** What a campaign has used of one of its daily limits, over all its mailboxes. Exists only where there is such a limit. */
@Collection('send_quotas', {
  tenant: true,
  indexes: [
    {
      serves: 'how much is used, and that it is counted in one place',
      fields: { workspaceId: 1, campaignId: 1, day: 1, name: 1 },
      unique: true,
    },
    { serves: 'removed when nobody asks any more', fields: { createdAt: 1 }, expireAfterSeconds: 7 * 86_400 },
  ],
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

  /** `all`, `new`, `@<domain>`; `since <time>`: what was sent before a limit was switched on then is counted. */
  @Prop({ type: String, required: true })
  name!: string;

  @Prop({ type: Number, required: true, default: 0 })
  used!: number;

  /** Of `since <time>`: emails that were on their way then. They are counted although they took no place. */
  @Prop({ type: [Schema.Types.ObjectId], default: undefined })
  unplaced?: Types.ObjectId[];

  @Prop({ type: Date })
  createdAt!: Date;
}
