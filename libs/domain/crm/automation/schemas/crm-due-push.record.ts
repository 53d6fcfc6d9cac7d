import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** A lead to push to a CRM because of its events. */
@Collection('crm_due_pushes', {
  tenant: true,
  indexes: [
    { serves: 'that a lead waits once', fields: { workspaceId: 1, crmType: 1, leadId: 1 }, unique: true },
    { serves: 'those that are due', fields: { dueAt: 1 }, due: 'crm-automation' },
    { serves: 'the erasure of a person', fields: { workspaceId: 1, leadId: 1 } },
  ],
})
export class CrmDuePushRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: CRM_TYPES, required: true })
  crmType!: CrmType;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  leadId!: Types.ObjectId;

  @Prop({ type: Date, required: true })
  dueAt!: Date;
}
