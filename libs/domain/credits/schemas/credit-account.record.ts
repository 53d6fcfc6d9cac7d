import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** What a workspace has, kept equal to the sum of its entries. A workspace that was never granted anything has none. */
@Collection('credit_accounts', {
  tenant: true,
  indexes: [{ serves: 'the account of a workspace, of which there is one', fields: { workspaceId: 1 }, unique: true }],
})
export class CreditAccountRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** Credits that may be spent. */
  @Prop({ type: Number, required: true, min: 0 })
  balance!: number;

  /** Credits held back by open reservations. */
  @Prop({ type: Number, required: true, min: 0 })
  reserved!: number;

  /** Number of the last entry: whoever writes one moves it on, and two at once cannot. */
  @Prop({ type: Number, required: true })
  sequence!: number;

  @Prop({ type: Date })
  updatedAt!: Date;
}
