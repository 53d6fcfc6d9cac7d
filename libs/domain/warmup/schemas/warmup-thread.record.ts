import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type ThreadScript } from '../texts/thread-script';
import { type WarmupLanguage } from './warmup.record';

/** Retention of mails and threads: longer than questions or answers about them. */
export const RETENTION_SECONDS = 120 * 86_400;

/** The other mailbox, possibly of another workspace, which must not see its address. */
export interface Counterpart {
  workspaceId: Types.ObjectId;
  mailboxId: Types.ObjectId;
}

export const counterpart = {
  workspaceId: { type: Schema.Types.ObjectId, required: true },
  mailboxId: { type: Schema.Types.ObjectId, required: true },
};

/** A conversation between two mailboxes. It belongs to the workspace that opened it. */
@Collection('warmup_threads', {
  tenant: true,
  indexes: [
    {
      serves: 'one thread per ordinal of a day; the recent threads of a mailbox',
      fields: { workspaceId: 1, mailboxId: 1, day: -1, ordinal: 1 },
      unique: true,
    },
    { serves: 'the recent threads to a mailbox', fields: { 'counterpart.mailboxId': 1, day: -1 } },
    { serves: 'expiry of threads', fields: { createdAt: 1 }, expireAfterSeconds: RETENTION_SECONDS },
  ],
  impersonal: {
    'mails between mailboxes of the installation': ['day', 'language', 'seed', 'script', 'subject', 'messageIds'],
  },
})
export class WarmupThreadRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** The mailbox that opens it. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  @Prop({ type: new Schema(counterpart, { _id: false, id: false }), required: true })
  counterpart!: Counterpart;

  /** YYYY-MM-DD in the zone of the mailbox that opens it. */
  @Prop({ type: String, required: true })
  day!: string;

  /** Position among the threads of that day, from 0. */
  @Prop({ type: Number, required: true })
  ordinal!: number;

  @Prop({ type: String, required: true })
  language!: WarmupLanguage;

  /** Determines the texts of all its mails. */
  @Prop({ type: String, required: true })
  seed!: string;

  /** Script of the language model; null: texts of the library. */
  @Prop({
    type: new Schema({ subject: String, bodies: [String] }, { _id: false, id: false }),
    default: null,
  })
  script!: ThreadScript | null;

  /** Subject of the first mail; '' before it is sent. */
  @Prop({ type: String, default: '' })
  subject!: string;

  /** Message-IDs of its sent mails, oldest first, for the references of answers (RFC 5322 section 3.6.4). */
  @Prop({ type: [String], required: true, default: [] })
  messageIds!: string[];

  @Prop({ type: Date })
  createdAt!: Date;
}
