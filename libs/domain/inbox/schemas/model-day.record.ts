import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

const whole = { type: Number, required: true, default: 0 };

/** The use of the language model by a workspace on one day. */
@Collection('model_days', {
  tenant: true,
  indexes: [
    { serves: 'the use of a workspace on a day', fields: { workspaceId: 1, day: 1 }, unique: true },
    { serves: 'expiry of days after a year', fields: { createdAt: 1 }, expireAfterSeconds: 366 * 86_400 },
  ],
  impersonal: {
    'a day': ['day'],
  },
})
export class ModelDayRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** YYYY-MM-DD (UTC). */
  @Prop({ type: String, required: true })
  day!: string;

  /** Questions, unanswered ones included. */
  @Prop(whole)
  questions!: number;

  @Prop(whole)
  inputTokens!: number;

  @Prop(whole)
  outputTokens!: number;

  /** Input, output and reserved tokens: the value compared with the budget. */
  @Prop(whole)
  tokens!: number;

  @Prop({ type: Date })
  createdAt!: Date;
}
