import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** How far a mailbox has been read. Its id is the mailbox's. */
@Collection('mailbox_syncs', {
  tenant: true,
  indexes: [
    { serves: 'erasing a workspace', fields: { workspaceId: 1 } },
    { serves: 'what deleted mailboxes left behind, oldest first', fields: { deletedAt: 1 } },
  ],
})
export class MailboxSyncRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** The driver's; null before the first batch. Written together with the messages that lie before it. */
  @Prop({ type: String, default: null })
  cursor!: string | null;

  /** The account on its server that the cursor is of (`getSource`); null for a vendor's, which stays the same. */
  @Prop({ type: String, default: null })
  source!: string | null;

  /** Mail that came in before is not looked at. */
  @Prop({ type: Date, required: true })
  since!: Date;

  /** When the mailbox was last read to its end; null before that. */
  @Prop({ type: Date, default: null })
  syncedAt!: Date | null;

  /** Since when the mailbox is deleted: nobody reads it any more, and what it left behind is being erased. */
  @Prop({ type: Date, default: null })
  deletedAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;
}
