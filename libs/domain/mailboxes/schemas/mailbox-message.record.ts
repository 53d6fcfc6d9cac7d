import { Prop, raw } from '@nestjs/mongoose';
import { type FolderRole, type MailAddress, type MessageFlags } from '@adapters/mail';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/**
 * `received`: not classified yet; `judged`: classified, with tasks left outside of that transaction; `done`: nothing
 * is left; `unreadable`: the server did not return the message, and is asked again.
 */
const MESSAGE_STATES = ['received', 'judged', 'done', 'unreadable'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** States in which a message has open work. */
export const UNFINISHED_STATES = ['received', 'judged'] as const satisfies readonly MessageState[];

const text = { type: String, default: null };
const flag = { type: Boolean, required: true, default: false };
const address = new Schema<MailAddress>(
  { name: { type: String, default: '' }, address: { type: String, default: '' } },
  { _id: false, id: false },
);

/** The envelope of a message in a mailbox. The message itself stays on the mail server. */
@Collection('mailbox_messages', {
  tenant: true,
  indexes: [
    {
      serves: 'storing a message once, whatever its folder',
      fields: { workspaceId: 1, mailboxId: 1, fingerprint: 1 },
      unique: true,
    },
    { serves: 'the message at a place of the mailbox', fields: { workspaceId: 1, mailboxId: 1, place: 1 } },
    {
      serves: 'messages with open work in a mailbox, oldest first, and the mailboxes with any',
      fields: { mailboxId: 1, receivedAt: 1, _id: 1 },
      where: { state: { $in: UNFINISHED_STATES } },
    },
    { serves: 'received messages of a workspace by time, for a rebuild', fields: { workspaceId: 1, createdAt: 1 } },
    {
      serves: 'unreadable messages of a mailbox',
      fields: { workspaceId: 1, mailboxId: 1, receivedAt: -1 },
      where: { state: 'unreadable' },
    },
    {
      serves: 'unreadable messages that are due, in all workspaces',
      fields: { retryAt: 1 },
      due: 'unreadable-mail',
      where: { state: 'unreadable' },
    },
  ],
  impersonal: {
    'a digest, and the place in the mailbox': ['fingerprint', 'place', 'ref', 'role', 'threadId'],
    'names of rules': ['verdict', 'rule'],
  },
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

  /** Its place as one string (`getPlace`). */
  @Prop({ type: String, required: true })
  place!: string;

  @Prop(raw({ folder: { type: String, required: true }, id: { type: String, required: true } }))
  ref!: { folder: string; id: string };

  /** The role of its folder. */
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

  /** When it left the mailbox. */
  @Prop({ type: Date, default: null })
  goneAt!: Date | null;

  /** The classification and the rule that decided it; null before. */
  @Prop(text)
  verdict!: string | null;

  @Prop(text)
  rule!: string | null;

  /** Open tasks of a classified message: plain data of the domain that classified it. */
  @Prop({ type: [Schema.Types.Mixed], default: [] })
  tasks!: unknown[];

  /**
   * Failed attempts to classify the message and the time of the next one; null: immediately. For an unreadable
   * message: attempts to read it; null: none is left.
   */
  @Prop({ type: Number, required: true, default: 0 })
  failures!: number;

  @Prop({ type: Date, default: null })
  retryAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;
}
