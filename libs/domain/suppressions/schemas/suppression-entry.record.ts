import { type Actor } from '@domain/access';
import { actorFields } from '@domain/audit';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type SuppressionKind, type SuppressionSource } from './suppression.record';

/** `repeated`: a further message led to an opt-out that was there already. */
export type SuppressionAct = 'added' | 'repeated' | 'removed';

/** One line of the ledger of opt-outs: the proof of when, how and by which message. Written once, never changed. */
@Collection('suppression_ledger', {
  tenant: true,
  indexes: [
    {
      serves: 'what was done about a value, and whether an opt-out by a message is on record',
      fields: { workspaceId: 1, value: 1, createdAt: 1 },
    },
  ],
})
export class SuppressionEntryRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, required: true })
  act!: SuppressionAct;

  @Prop({ type: String, required: true })
  kind!: SuppressionKind;

  @Prop({ type: String, required: true })
  value!: string;

  /** How it was added; for `removed` the source of what is gone. */
  @Prop({ type: String, required: true })
  source!: SuppressionSource;

  @Prop({ type: String, default: null })
  reason!: string | null;

  /** The message that led to it: the one unsubscribed from, complained about or bounced; null where there is none. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  sendId!: Types.ObjectId | null;

  @Prop({ type: actorFields, required: true })
  actor!: Actor;

  @Prop({ type: Date })
  createdAt!: Date;
}
