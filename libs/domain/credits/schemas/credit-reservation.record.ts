import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type ReservationState } from '../ledger-command';

/** Credits reserved for work whose price is known only at its end. */
@Collection('credit_reservations', {
  tenant: true,
  indexes: [
    {
      serves: 'the reservation of an operation; one for each',
      fields: { workspaceId: 1, operation: 1 },
      unique: true,
    },
    {
      serves: 'the open reservations of a workspace, to recompute what is reserved',
      fields: { workspaceId: 1, state: 1 },
    },
    {
      serves: 'the expired open reservations of all workspaces, oldest expiry first',
      fields: { expiresAt: 1 },
      where: { state: 'open' },
    },
  ],
  impersonal: {
    'names of charges and of work': ['operation', 'reason', 'state'],
  },
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

  /** The requested milliseconds; a repeated request must have the same. */
  @Prop({ type: Number, required: true })
  ttlMs!: number;

  /** Final cost of the work; 0 until it is settled. */
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
