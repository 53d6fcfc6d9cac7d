import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

export const REPLAY_SCOPES = ['failed', 'all'] as const;
/** `failed`: deliveries that failed or were never made; `all`: delivered ones as well. */
export type ReplayScope = (typeof REPLAY_SCOPES)[number];

/**
 * The current or last replay of a webhook. It is stored apart from the webhook, which each attempt writes.
 */
@Collection('webhook_replays', {
  tenant: true,
  indexes: [
    { serves: 'open replays', fields: { openSince: 1 }, where: { openSince: { $gt: new Date(0) } } },
    { serves: 'the replays of a workspace', fields: { workspaceId: 1 } },
  ],
})
export class WebhookReplayRecord {
  /** The webhook: it has one at a time. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** Identifies the replay, so that a run of an earlier one stops. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  replayId!: Types.ObjectId;

  /** Events that happened at or after it, */
  @Prop({ type: Date, required: true })
  from!: Date;

  /** and before this. */
  @Prop({ type: Date, required: true })
  to!: Date;

  @Prop({ type: String, required: true, enum: REPLAY_SCOPES })
  scope!: ReplayScope;

  @Prop({ type: Date, required: true })
  startedAt!: Date;

  /** The same while it runs, absent afterwards. */
  @Prop({ type: Date })
  openSince?: Date;

  @Prop({ type: Date, default: null })
  completedAt!: Date | null;

  /** The last processed event; null at the start. */
  @Prop({ type: new Schema({ at: Date, id: Schema.Types.ObjectId }, { _id: false, id: false }), default: null })
  position!: ReplayPosition | null;

  /** Deliveries that were restarted or created. */
  @Prop({ type: Number, required: true })
  scheduled!: number;
}

export interface ReplayPosition {
  at: Date;
  id: Types.ObjectId;
}
