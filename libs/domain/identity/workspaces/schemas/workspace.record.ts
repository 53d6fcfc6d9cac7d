import { Prop, raw } from '@nestjs/mongoose';
import { type Role, ROLES } from '@domain/access';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** Limits of a workspace, set by the operator. */
export const LIMIT_NAMES = ['maxMembers', 'maxCampaigns', 'maxLeads', 'maxMailboxes'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];
export type WorkspaceLimits = Record<LimitName, number>;

/** Roles that an invitation may give; ownership is transferred, never given by invitation. */
export const INVITED_ROLES = ['admin', 'member'] as const satisfies readonly Role[];
export type InvitedRole = (typeof INVITED_ROLES)[number];

export interface Member {
  userId: Types.ObjectId;
  role: Role;
  joinedAt: Date;
}

export interface WorkspaceSettings {
  /** Whether plain members may invite (as members only). */
  allowMemberInvites: boolean;
  /** Role of an invitation that specifies none. */
  defaultRole: InvitedRole;
}

const whole = { type: Number, required: true };

/** The tenant. Members are embedded, so that one read decides about access. */
@Collection('workspaces', {
  tenant: { notBecause: 'the record is the workspace itself' },
  indexes: [
    { serves: 'the workspaces of a user, newest first', fields: { 'members.userId': 1, createdAt: -1, _id: -1 } },
    { serves: 'the number of workspaces that a user owns', fields: { ownerId: 1 } },
    { serves: 'deleted workspaces, for the sweep that purges them', fields: { deletedAt: 1 } },
  ],
  impersonal: {
    'the name of a workspace': ['name'],
  },
})
export class WorkspaceRecord {
  _id!: Types.ObjectId;

  @Prop({ type: String, required: true })
  name!: string;

  /** The one member whose role is `owner`. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  ownerId!: Types.ObjectId;

  @Prop({
    type: [
      {
        _id: false,
        userId: { type: Schema.Types.ObjectId, required: true },
        role: { type: String, enum: ROLES, required: true },
        joinedAt: { type: Date, required: true },
      },
    ],
    required: true,
  })
  members!: Member[];

  @Prop(
    raw({
      allowMemberInvites: { type: Boolean, required: true, default: false },
      defaultRole: { type: String, enum: INVITED_ROLES, required: true, default: 'member' },
    }),
  )
  settings!: WorkspaceSettings;

  @Prop(raw({ maxMembers: whole, maxCampaigns: whole, maxLeads: whole, maxMailboxes: whole }))
  limits!: WorkspaceLimits;

  /** Grows with each change of the members, limits or counts: two such transactions conflict, and one is rerun. */
  @Prop({ type: Number, required: true, default: 0 })
  revision!: number;

  /** Since then the workspace is deleted; its data are purged after the retention time. */
  @Prop({ type: Date, default: null })
  deletedAt!: Date | null;

  /** The purge has begun; the workspace cannot be restored. */
  @Prop({ type: Date, default: null })
  purgeStartedAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}

/** User ids of the members. */
export function getMemberIds({ members }: Pick<WorkspaceRecord, 'members'>): string[] {
  return members.map(({ userId }) => userId.toHexString());
}
