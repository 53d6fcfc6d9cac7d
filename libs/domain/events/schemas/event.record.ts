import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type EventType } from '../event.types';

/** Something that happened. Written once with the change that it tells of, never altered. */
@Collection('events', {
  tenant: true,
  indexes: [
    { serves: 'that nothing is recorded twice', fields: { workspaceId: 1, dedupeKey: 1 }, unique: true },
    { serves: 'what happened in a workspace, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    { serves: 'what happened to one mailbox', fields: { workspaceId: 1, mailboxId: 1, createdAt: -1, _id: -1 } },
  ],
})
export class EventRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, required: true })
  type!: EventType;

  /** Names the happening, so that telling it again changes nothing. */
  @Prop({ type: String, required: true })
  dedupeKey!: string;

  /** When it happened, which may be before it was noticed. */
  @Prop({ type: Date, required: true })
  at!: Date;

  @Prop({ type: Schema.Types.ObjectId, default: null })
  mailboxId!: Types.ObjectId | null;

  @Prop({ type: Schema.Types.ObjectId, default: null })
  campaignId!: Types.ObjectId | null;

  @Prop({ type: Schema.Types.ObjectId, default: null })
  leadId!: Types.ObjectId | null;

  /** Plain values that webhooks will show; never a secret. */
  @Prop({ type: Schema.Types.Mixed, required: true })
  data!: Record<string, unknown>;

  @Prop({ type: Date })
  createdAt!: Date;
}
