import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type ReservationState } from '../ledger-command';

/** Credits held back for work whose price is known only at its end. */
@Collection('credit_reservations', {
  tenant: true,
  indexes: [
    {
      serves: 'the reservation of an operation, of which there is one',
      fields: { workspaceId: 1, operation: 1 },
      unique: true,
    },
    {
      serves: 'the open reservations of a workspace, to recompute what is reserved',
      fields: { workspaceId: 1, state: 1 },
    },
    {
      serves: 'the open reservations of all workspaces whose time is over, longest over first',
      fields: { expiresAt: 1 },
      where: { state: 'open' },
    },
  ],
})
export class CreditReservationRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, required: true })
  operation!: string;

  @Prop({ type: Number, required: true })
  amount!: number;

  @Prop({ type: String, required: true })
  reason!: string;

  /** Milliseconds that were asked for; part of what makes a repeated request the same one. */
  @Prop({ type: Number, required: true })
  ttlMs!: number;

  /** What the work cost in the end; 0 until then. */
  @Prop({ type: Number, required: true, default: 0 })
  used!: number;

  @Prop({ type: String, required: true })
  state!: ReservationState;

  @Prop({ type: Date, required: true })
  expiresAt!: Date;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
