import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** A web address of a workspace's own, under which its emails link to this platform. */
@Collection('tracking_hosts', {
  tenant: true,
  indexes: [
    { serves: 'the host of a workspace, and that it has one', fields: { workspaceId: 1 }, unique: true },
    { serves: 'that a host is one workspace’s', fields: { url: 1 }, unique: true },
  ],
})
export class TrackingHostRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** Scheme, host and port, without a slash at the end. */
  @Prop({ type: String, required: true })
  url!: string;

  /** When it was last seen to lead here. */
  @Prop({ type: Date, required: true })
  verifiedAt!: Date;

  @Prop({ type: Date })
  createdAt!: Date;
}
