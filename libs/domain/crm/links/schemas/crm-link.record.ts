import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/**
 * The link between an address here and a person of a CRM account. It is written before the CRM creates the person,
 * without `externalId`, so that a retry after a crash searches first.
 */
@Collection('crm_links', {
  tenant: true,
  indexes: [
    {
      serves: 'the person of an address, of which there is one',
      fields: { workspaceId: 1, connectionId: 1, email: 1 },
      unique: true,
    },
    {
      serves: 'the address of a person, of which there is one',
      fields: { workspaceId: 1, connectionId: 1, externalId: 1 },
      where: { externalId: { $gt: '' } },
      unique: true,
    },
    {
      serves: 'people with an unknown outcome',
      fields: { workspaceId: 1, waitingFor: 1, waitingUntil: 1, _id: 1 },
      where: { waitingFor: { $exists: true } },
    },
    { serves: 'the erasure of a person', fields: { workspaceId: 1, email: 1 } },
    { serves: 'forgetting the people of another account', fields: { workspaceId: 1, crmType: 1, connectionId: 1 } },
  ],
})
export class CrmLinkRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: CRM_TYPES, required: true })
  crmType!: CrmType;

  /** Another connection has other people, even with equal ids. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  connectionId!: Types.ObjectId;

  /** Normalized. */
  @Prop({ type: String, required: true })
  email!: string;

  /** Empty while the person is being created. */
  @Prop({ type: String, default: '' })
  externalId!: string;

  /** The CRM's update time at the last sync, after our own change. */
  @Prop({ type: Date, default: null })
  remoteUpdatedAt!: Date | null;

  /** Digests of both sides at the last sync (`parseSnapshot`), as JSON: field names may contain dots. */
  @Prop({ type: String, default: '{}' })
  remoteSnapshot!: string;

  /** The job that returns to it, because the outcome of a write is unknown. */
  @Prop({ type: Schema.Types.ObjectId })
  waitingFor?: Types.ObjectId;

  /** When the outcome is certain to be visible. */
  @Prop({ type: Date })
  waitingUntil?: Date;

  /** Consecutive unknown outcomes. */
  @Prop({ type: Number, default: 0 })
  attempts!: number;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
