import { Prop, raw } from '@nestjs/mongoose';
import { type FolderRole, type MailAddress, type MessageFlags } from '@adapters/mail';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/**
 * `received`: nobody has judged it yet; `judged`: what it says is written, what has to follow outside of that transaction is
 * still to be done; `done`: all of it is; `unreadable`: the server would not show it;
 * it is asked for it again.
 */
const MESSAGE_STATES = ['received', 'judged', 'done', 'unreadable'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** States in which somebody has to work on a message. */
export const UNFINISHED_STATES = ['received', 'judged'] as const satisfies readonly MessageState[];

const text = { type: String, default: null };
const flag = { type: Boolean, required: true, default: false };
const address = new Schema<MailAddress>(
  { name: { type: String, default: '' }, address: { type: String, default: '' } },
  { _id: false, id: false },
);

/** A message that came into a mailbox: its envelope. The message itself stays with the mail server. */
@Collection('mailbox_messages', {
  tenant: true,
  indexes: [
    {
      serves: 'that a message is taken in once, wherever it lies',
      fields: { workspaceId: 1, mailboxId: 1, fingerprint: 1 },
      unique: true,
    },
    { serves: 'the message at a place of the mailbox', fields: { workspaceId: 1, mailboxId: 1, place: 1 } },
    {
      serves: 'what is still to be worked on in a mailbox, oldest first, and the mailboxes that have any of it',
      fields: { mailboxId: 1, receivedAt: 1, _id: 1 },
      where: { state: { $in: UNFINISHED_STATES } },
    },
    { serves: 'what came into a workspace, by time: a recount', fields: { workspaceId: 1, createdAt: 1 } },
    {
      serves: 'what the server of a mailbox did not show',
      fields: { workspaceId: 1, mailboxId: 1, receivedAt: -1 },
      where: { state: 'unreadable' },
    },
    {
      serves: 'what is asked for again, in all workspaces',
      fields: { retryAt: 1 },
      due: 'unreadable-mail',
      where: { state: 'unreadable' },
    },
  ],
})
export class MailboxMessageRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  /** See `NewMessage.fingerprint`. */
  @Prop({ type: String, required: true })
  fingerprint!: string;

  @Prop({ type: String, enum: MESSAGE_STATES, required: true })
  state!: MessageState;

  /** Where it lies, as one word (`placeOf`). */
  @Prop({ type: String, required: true })
  place!: string;

  @Prop(raw({ folder: { type: String, required: true }, id: { type: String, required: true } }))
  ref!: { folder: string; id: string };

  /** What the folder is for. */
  @Prop(text)
  role!: FolderRole | null;

  @Prop({ type: Date, required: true })
  receivedAt!: Date;

  @Prop({ type: Number, default: 0 })
  size!: number;

  @Prop(raw({ seen: flag, answered: flag, flagged: flag, draft: flag }))
  flags!: MessageFlags;

  /** With angle brackets. */
  @Prop(text)
  messageId!: string | null;

  @Prop(text)
  inReplyTo!: string | null;

  @Prop({ type: [String], default: [] })
  references!: string[];

  @Prop({ type: address, default: null })
  from!: MailAddress | null;

  @Prop({ type: [address], default: [] })
  to!: MailAddress[];

  @Prop({ type: String, default: '' })
  subject!: string;

  /** Its Date header. */
  @Prop({ type: Date, default: null })
  sentAt!: Date | null;

  /** The provider's conversation. */
  @Prop(text)
  threadId!: string | null;

  /** Why it cannot be read. */
  @Prop(text)
  problem!: string | null;

  /** Since when it is no longer in the mailbox. */
  @Prop({ type: Date, default: null })
  goneAt!: Date | null;

  /** What it was taken for, and the rule that decided; null before. */
  @Prop(text)
  verdict!: string | null;

  @Prop(text)
  rule!: string | null;

  /** What is still to be done about a judged message: plain data of whoever judged it. */
  @Prop({ type: [Schema.Types.Mixed], default: [] })
  tasks!: unknown[];

  /**
   * Attempts to judge it that failed, and when the next one is due; null: at once. Of an unreadable one: to have it shown;
   * null: none any more.
   */
  @Prop({ type: Number, required: true, default: 0 })
  failures!: number;

  @Prop({ type: Date, default: null })
  retryAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;
}
