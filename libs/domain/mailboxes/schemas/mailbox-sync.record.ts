import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** How far a mailbox has been read. Its id is the mailbox's. */
@Collection('mailbox_syncs', {
  tenant: true,
  indexes: [{ serves: 'erasing a workspace', fields: { workspaceId: 1 } }],
})
export class MailboxSyncRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** The driver's; null before the first batch. Written together with the messages that lie before it. */
  @Prop({ type: String, default: null })
  cursor!: string | null;

  /** Mail that came in before is not looked at. */
  @Prop({ type: Date, required: true })
  since!: Date;

  /** When the mailbox was last read to its end; null before that. */
  @Prop({ type: Date, default: null })
  syncedAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;
}
