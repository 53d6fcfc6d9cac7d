import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** A zone that lists a subject of a mailbox. */
export interface CurrentListing {
  zone: string;
  subject: string;
  weight: number;
}

/** Status of a mailbox after its last test; the next test compares with it. */
@Collection('mailbox_blacklist_statuses', {
  tenant: true,
  indexes: [{ serves: 'the status of mailboxes of a workspace', fields: { workspaceId: 1, _id: 1 } }],
  impersonal: {
    'blacklist entries of the workspace’s mailboxes': ['listings'],
  },
})
export class MailboxBlacklistStatusRecord {
  /** The mailbox. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** Listings that have not ended as far as known. */
  @Prop({
    type: [new Schema({ zone: String, subject: String, weight: Number }, { _id: false, id: false })],
    required: true,
  })
  listings!: CurrentListing[];

  /** The last test. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  testId!: Types.ObjectId;

  @Prop({ type: Date, required: true })
  testedAt!: Date;
}
