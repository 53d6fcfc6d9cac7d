import { type Actor } from '@domain/access';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type AuditAction, type AuditTarget } from '../audit-actions';
import { type AuditChanges } from '../audit-changes';
import { actorFields } from './actor-fields';

const targetFields = new Schema<AuditTarget>(
  { type: { type: String, required: true }, id: { type: String, required: true } },
  { _id: false, id: false },
);

/** One action on a record of a workspace. Written once, never changed. */
@Collection('audit_entries', {
  tenant: true,
  indexes: [
    {
      serves: 'the audit log, newest first, with or without a time window',
      fields: { workspaceId: 1, createdAt: -1, _id: -1 },
    },
    { serves: 'the audit log of one action', fields: { workspaceId: 1, action: 1, createdAt: -1, _id: -1 } },
    { serves: 'the audit log of one user', fields: { workspaceId: 1, 'actor.userId': 1, createdAt: -1, _id: -1 } },
    {
      serves: 'the audit log of one kind of record',
      fields: { workspaceId: 1, 'target.type': 1, createdAt: -1, _id: -1 },
    },
    { serves: 'the audit log of one record', fields: { workspaceId: 1, 'target.id': 1, createdAt: -1, _id: -1 } },
  ],
  impersonal: {
    'a user or a key of the workspace': ['actor'],
    'names of actions and ids': ['action', 'target', 'requestId'],
  },
})
export class AuditRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: actorFields, required: true })
  actor!: Actor;

  @Prop({ type: String, required: true })
  action!: AuditAction;

  @Prop({ type: targetFields, required: true })
  target!: AuditTarget;

  @Prop({ type: Schema.Types.Mixed, default: null })
  changes!: AuditChanges | null;

  /** The request; null for the worker and the command line. */
  @Prop({ type: String, default: null })
  requestId!: string | null;

  @Prop({ type: Date })
  createdAt!: Date;
}
