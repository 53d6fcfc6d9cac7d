import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/**
 * That an address here and a person of a CRM account are the same, or are about to be. One that is being made has no `externalId` yet:
 * it is written before the CRM is asked to make the person, so that whoever comes after a crash looks there first.
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
      serves: 'people of whom it is not known yet what became of them',
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

  /** People of another connection are other people, although their ids may be the same. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  connectionId!: Types.ObjectId;

  /** In its normal form. */
  @Prop({ type: String, required: true })
  email!: string;

  /** Empty while it is being made. */
  @Prop({ type: String, default: '' })
  externalId!: string;

  /** As the CRM said at the last sync, after our own change of it. */
  @Prop({ type: Date, default: null })
  remoteUpdatedAt!: Date | null;

  /** What both sides had at the last sync (`parseSnapshot`), as JSON: names of fields may have dots. */
  @Prop({ type: String, default: '{}' })
  seen!: string;

  /** The job that comes back to it: it may have been made or changed there, and nobody heard of it. */
  @Prop({ type: Schema.Types.ObjectId })
  waitingFor?: Types.ObjectId;

  /** When that is certain to be seen by whoever looks. */
  @Prop({ type: Date })
  waitingUntil?: Date;

  /** How often that was so in a row. */
  @Prop({ type: Number, default: 0 })
  attempts!: number;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
