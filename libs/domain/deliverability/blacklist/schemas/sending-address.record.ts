import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** An address from which mail of a mailbox was received. */
@Collection('sending_addresses', {
  tenant: true,
  indexes: [
    {
      serves: 'one record per address of a mailbox; the addresses of mailboxes',
      fields: { workspaceId: 1, mailboxId: 1, address: 1 },
      unique: true,
    },
    { serves: 'expiry of addresses that were not seen again', fields: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  impersonal: {
    'an IP address of the workspace’s own mail server': ['address'],
  },
})
export class SendingAddressRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  /** In canonical spelling. */
  @Prop({ type: String, required: true })
  address!: string;

  @Prop({ type: Date, required: true })
  seenAt!: Date;

  @Prop({ type: Date, required: true })
  expiresAt!: Date;
}
