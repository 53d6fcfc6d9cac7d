import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

const whole = { type: Number, required: true, default: 0 };

/** What a workspace asked the language model in one day. */
@Collection('model_days', {
  tenant: true,
  indexes: [
    { serves: 'what a workspace has asked in a day', fields: { workspaceId: 1, day: 1 }, unique: true },
    { serves: 'forgets days after a year', fields: { createdAt: 1 }, expireAfterSeconds: 366 * 86_400 },
  ],
})
export class ModelDayRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** YYYY-MM-DD (UTC). */
  @Prop({ type: String, required: true })
  day!: string;

  /** Questions, those included that were not answered. */
  @Prop(whole)
  questions!: number;

  @Prop(whole)
  inputTokens!: number;

  @Prop(whole)
  outputTokens!: number;

  /** Of both kinds, and those that questions on their way may cost: what is held against the budget. */
  @Prop(whole)
  tokens!: number;

  @Prop({ type: Date })
  createdAt!: Date;
}
