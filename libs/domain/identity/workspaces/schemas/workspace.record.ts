import { Prop, raw } from '@nestjs/mongoose';
import { type Role, ROLES } from '@domain/access';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** Caps of a workspace, set by the operator. */
export const LIMIT_NAMES = ['maxMembers', 'maxCampaigns', 'maxLeads', 'maxMailboxes'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];
export type WorkspaceLimits = Record<LimitName, number>;

/** Roles that an invitation may give; ownership is handed over, never given away by invitation. */
export const INVITED_ROLES = ['admin', 'member'] as const satisfies readonly Role[];
export type InvitedRole = (typeof INVITED_ROLES)[number];

export interface Member {
  userId: Types.ObjectId;
  role: Role;
  joinedAt: Date;
}

export interface WorkspaceSettings {
  /** Whether plain members may invite (other members only). */
  allowMemberInvites: boolean;
  /** Role of an invitation that names none. */
  defaultRole: InvitedRole;
}

const whole = { type: Number, required: true };

/** The tenant itself. Members live inside: who may enter is one read. */
@Collection('workspaces', {
  tenant: { notBecause: 'it is the workspace' },
  indexes: [
    { serves: 'the workspaces of a user, newest first', fields: { 'members.userId': 1, createdAt: -1, _id: -1 } },
    { serves: 'how many workspaces a user owns', fields: { ownerId: 1 } },
    { serves: 'deleted workspaces, for the sweep that erases them', fields: { deletedAt: 1 } },
  ],
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

  /** Grows with each change of what is counted or decided here: two such transactions at once conflict, one is run again. */
  @Prop({ type: Number, required: true, default: 0 })
  revision!: number;

  /** From then on the workspace is unknown to everybody; its data are erased after the retention time. */
  @Prop({ type: Date, default: null })
  deletedAt!: Date | null;

  /** Erasing has begun: there is no way back. */
  @Prop({ type: Date, default: null })
  purgeStartedAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}

/** User ids of the members. */
export function memberIds({ members }: Pick<WorkspaceRecord, 'members'>): string[] {
  return members.map(({ userId }) => userId.toHexString());
}
