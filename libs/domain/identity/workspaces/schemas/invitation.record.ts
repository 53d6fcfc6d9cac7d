import { Prop } from '@nestjs/mongoose';
import { type Actor } from '@domain/access';
import { actorFields } from '@domain/audit';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { INVITED_ROLES, type InvitedRole } from './workspace.record';

const INVITATION_STATUSES = ['pending', 'accepted', 'revoked'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** Allows an email address to join a workspace with a token. */
@Collection('invitations', {
  tenant: true,
  indexes: [
    {
      serves: 'the pending invitations of a workspace, newest first',
      fields: { workspaceId: 1, status: 1, createdAt: -1, _id: -1 },
    },
    {
      serves: 'one pending invitation per address',
      fields: { workspaceId: 1, email: 1 },
      unique: true,
      where: { status: 'pending' },
    },
    { serves: 'the invitation of a token', fields: { tokenHash: 1 }, unique: true },
  ],
  impersonal: {
    'a future member of the workspace, who is no recipient of its mail': ['email'],
    'a digest': ['tokenHash'],
    'a user or a key of the workspace': ['invitedBy'],
  },
})
export class InvitationRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** In lower case. */
  @Prop({ type: String, required: true })
  email!: string;

  @Prop({ type: String, enum: INVITED_ROLES, required: true })
  role!: InvitedRole;

  /** SHA-256 of the token, in hexadecimal digits. */
  @Prop({ type: String, required: true })
  tokenHash!: string;

  @Prop({ type: actorFields, required: true })
  invitedBy!: Actor;

  @Prop({ type: String, enum: INVITATION_STATUSES, required: true })
  status!: InvitationStatus;

  /** From then on the token is invalid and the seat is free again. */
  @Prop({ type: Date, required: true })
  expiresAt!: Date;

  @Prop({ type: Date })
  createdAt!: Date;
}
