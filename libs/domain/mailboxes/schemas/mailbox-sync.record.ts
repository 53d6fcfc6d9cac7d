import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** The read position of a mailbox. The record has the id of the mailbox. */
@Collection('mailbox_syncs', {
  tenant: true,
  indexes: [
    { serves: 'erasing a workspace', fields: { workspaceId: 1 } },
    { serves: 'deleted mailboxes whose records are being erased, oldest first', fields: { deletedAt: 1 } },
  ],
  impersonal: {
    'a position in a mailbox': ['cursor', 'source'],
  },
})
export class MailboxSyncRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** The cursor of the driver; null before the first batch. Written together with the messages before it. */
  @Prop({ type: String, default: null })
  cursor!: string | null;

  /** The account and server of the cursor (`getSource`); null for a vendor's, which never changes. */
  @Prop({ type: String, default: null })
  source!: string | null;

  /** Mail received earlier is ignored. */
  @Prop({ type: Date, required: true })
  since!: Date;

  /** When the mailbox was last read to its end; null before. */
  @Prop({ type: Date, default: null })
  syncedAt!: Date | null;

  /** When the mailbox was deleted: no reader stores mail any more, and its records are being erased. */
  @Prop({ type: Date, default: null })
  deletedAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;
}
