import { type Actor } from '@domain/access';
import { actorFields } from '@domain/audit';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type SuppressionKind, type SuppressionSource } from './suppression.record';

/** `repeated`: a further message led to an existing opt-out. */
export type SuppressionAct = 'added' | 'repeated' | 'removed';

/** An immutable entry of the opt-out ledger: proof of time, source and message. */
@Collection('suppression_ledger', {
  tenant: true,
  indexes: [
    {
      serves: 'the history of a value, and whether an opt-out by a message exists',
      fields: { workspaceId: 1, value: 1, createdAt: 1 },
    },
  ],
  impersonal: {
    constants: ['act', 'kind', 'source'],
    'a user or a key of the workspace': ['actor'],
  },
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

  /** How it was added; for `removed`, the source of the removed suppression. */
  @Prop({ type: String, required: true })
  source!: SuppressionSource;

  @Prop({ type: String, default: null })
  reason!: string | null;

  /** The send that was unsubscribed from, complained about or bounced; null when there is none. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  sendId!: Types.ObjectId | null;

  @Prop({ type: actorFields, required: true })
  actor!: Actor;

  @Prop({ type: Date })
  createdAt!: Date;
}
