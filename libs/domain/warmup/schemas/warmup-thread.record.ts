import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type ThreadScript } from '../texts/thread-script';
import { type WarmupLanguage } from './warmup.record';

/** For how long mails and threads are kept: longer than anybody asks what became of one, or answers it. */
export const RETENTION_SECONDS = 120 * 86_400;

/** A mailbox at the other end, which may be of another workspace: its address is shown to nobody there. */
export interface Counterpart {
  workspaceId: Types.ObjectId;
  mailboxId: Types.ObjectId;
}

export const counterpart = {
  workspaceId: { type: Schema.Types.ObjectId, required: true },
  mailboxId: { type: Schema.Types.ObjectId, required: true },
};

/** A conversation between two mailboxes. It belongs to the workspace of the one that began it. */
@Collection('warmup_threads', {
  tenant: true,
  indexes: [
    {
      serves: 'that a place in a mailbox’s day is planned once, and whom it wrote to lately',
      fields: { workspaceId: 1, mailboxId: 1, day: -1, ordinal: 1 },
      unique: true,
    },
    { serves: 'who wrote to a mailbox lately', fields: { 'counterpart.mailboxId': 1, day: -1 } },
    { serves: 'that threads are forgotten', fields: { createdAt: 1 }, expireAfterSeconds: RETENTION_SECONDS },
  ],
})
export class WarmupThreadRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** Who begins it. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  @Prop({ type: new Schema(counterpart, { _id: false, id: false }), required: true })
  counterpart!: Counterpart;

  /** YYYY-MM-DD in the zone of who begins it. */
  @Prop({ type: String, required: true })
  day!: string;

  /** Its place among the threads of that day, from 0. */
  @Prop({ type: Number, required: true })
  ordinal!: number;

  @Prop({ type: String, required: true })
  language!: WarmupLanguage;

  /** Determines the texts of all its mails. */
  @Prop({ type: String, required: true })
  seed!: string;

  /** What the language model wrote for it; null when its texts are those of the library. */
  @Prop({
    type: new Schema({ subject: String, bodies: [String] }, { _id: false, id: false }),
    default: null,
  })
  script!: ThreadScript | null;

  /** Of the first mail; '' until it has gone out. */
  @Prop({ type: String, default: '' })
  subject!: string;

  /** Message-IDs of its mails that have gone out, oldest first: what an answer refers to (RFC 5322 section 3.6.4). */
  @Prop({ type: [String], required: true, default: [] })
  messageIds!: string[];

  @Prop({ type: Date })
  createdAt!: Date;
}
