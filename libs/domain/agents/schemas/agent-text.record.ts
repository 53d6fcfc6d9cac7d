import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** The purpose of a text. */
export const TEXT_PURPOSES = ['draft', 'reply', 'followup', 'profile'] as const;
export type TextPurpose = (typeof TEXT_PURPOSES)[number];

/** An answer of the model that broke a rule. */
export interface UnusedAnswer {
  /** The broken rule, as the predicate of “it …”. */
  readonly fault: string;
  /** The text, up to the stored maximum. */
  readonly text: string;
}

const count = { type: Number, required: true } as const;

/** A text that a language model wrote for an agent, with its cost. Immutable. */
@Collection('agent_texts', {
  tenant: true,
  indexes: [
    { serves: 'the texts of an agent, latest first', fields: { workspaceId: 1, agentId: 1, createdAt: -1, _id: -1 } },
    {
      serves: 'the texts of a conversation, for erasure',
      fields: { workspaceId: 1, conversationId: 1 },
      where: { conversationId: { $exists: true } },
    },
  ],
})
export class AgentTextRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  agentId!: Types.ObjectId;

  @Prop({ type: String, required: true, enum: TEXT_PURPOSES })
  purpose!: TextPurpose;

  /** Absent for a text without a conversation. */
  @Prop({ type: Schema.Types.ObjectId })
  conversationId?: Types.ObjectId;

  /** Name in the operator's configuration. */
  @Prop({ type: String, required: true })
  model!: string;

  @Prop({ type: String, required: true })
  promptVersion!: string;

  @Prop(count)
  inputTokens!: number;

  @Prop(count)
  outputTokens!: number;

  /** In the currency of the operator's prices. */
  @Prop(count)
  cost!: number;

  @Prop({ type: String, default: null })
  subject!: string | null;

  /** Empty when no answer was usable. */
  @Prop({ type: String, default: '' })
  text!: string;

  /** Earlier answers that broke a rule. The cost includes them. */
  @Prop({ type: [new Schema({ fault: String, text: String }, { _id: false, id: false })], default: [] })
  unused!: UnusedAnswer[];

  @Prop({ type: Date })
  createdAt!: Date;
}
