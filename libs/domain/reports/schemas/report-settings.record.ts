import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** The sender of a workspace's reports. Without a record: the operator's server. */
@Collection('report_settings', {
  tenant: true,
  indexes: [{ serves: 'the settings of a workspace', fields: { workspaceId: 1 }, unique: true }],
})
export class ReportSettingsRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** null: the operator's server. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  mailboxId!: Types.ObjectId | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
