import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** The credits of a workspace, kept equal to the sum of its entries. A workspace without any grant has no account. */
@Collection('credit_accounts', {
  tenant: true,
  indexes: [{ serves: 'the account of a workspace; one for each', fields: { workspaceId: 1 }, unique: true }],
})
export class CreditAccountRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** Credits that can be spent. */
  @Prop({ type: Number, required: true, min: 0 })
  balance!: number;

  /** Credits in open reservations. */
  @Prop({ type: Number, required: true, min: 0 })
  reserved!: number;

  /** Number of the last entry. Each new entry increments it first, so two concurrent writers conflict. */
  @Prop({ type: Number, required: true })
  sequence!: number;

  @Prop({ type: Date })
  updatedAt!: Date;
}
