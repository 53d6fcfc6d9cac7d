import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { BY_SECRET, KeyRecord } from './key-record';

/** A key of a workspace. */
@Collection('workspace_keys', {
  tenant: true,
  indexes: [
    BY_SECRET,
    { serves: 'the keys of a workspace, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
  ],
  impersonal: {
    'a key of the workspace, its secrets as digests': ['name', 'secrets', 'createdBy'],
  },
})
export class WorkspaceKeyRecord extends KeyRecord {
  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;
}
