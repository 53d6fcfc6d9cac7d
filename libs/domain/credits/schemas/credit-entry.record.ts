import { type Actor } from '@domain/access';
import { actorFields } from '@domain/audit';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type EntryKind, type EntryPhase } from '../ledger-command';

/** One line of the ledger. Written once, never changed. */
@Collection('credit_entries', {
  tenant: true,
  indexes: [
    {
      serves: 'the entries of an operation; it is opened once and either settled or released',
      fields: { workspaceId: 1, operation: 1, phase: 1 },
      unique: true,
    },
    {
      serves: 'the entries in their order, to recompute the balance; each number is used once',
      fields: { workspaceId: 1, sequence: 1 },
      unique: true,
    },
    { serves: 'the ledger, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    { serves: 'the ledger entries of one kind', fields: { workspaceId: 1, kind: 1, createdAt: -1, _id: -1 } },
  ],
  impersonal: {
    'names of charges and of work': ['operation', 'phase', 'kind', 'reason'],
    'a user or a key of the workspace': ['actor'],
  },
})
export class CreditEntryRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** 1 for the first entry of the workspace, then without gaps. */
  @Prop({ type: Number, required: true })
  sequence!: number;

  @Prop({ type: String, required: true })
  operation!: string;

  @Prop({ type: String, required: true })
  phase!: EntryPhase;

  @Prop({ type: String, required: true })
  kind!: EntryKind;

  /** Signed: the sum of all entries is the balance. */
  @Prop({ type: Number, required: true })
  amount!: number;

  @Prop({ type: Number, required: true, min: 0 })
  balanceAfter!: number;

  @Prop({ type: String, required: true })
  reason!: string;

  @Prop({ type: actorFields, required: true })
  actor!: Actor;

  @Prop({ type: Date })
  createdAt!: Date;
}
