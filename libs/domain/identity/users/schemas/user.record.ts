import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** A person. People belong to the installation; what they may do in a workspace is written there. */
@Collection('users', {
  tenant: { notBecause: 'one person may be a member of several workspaces' },
  indexes: [
    {
      serves: 'the user with a proven e-mail address; one user per proven address',
      fields: { email: 1 },
      unique: true,
      where: { emailProven: true },
    },
    { serves: 'the operator lists users, newest first', fields: { createdAt: -1, _id: -1 } },
  ],
})
export class UserRecord {
  _id!: Types.ObjectId;

  /** In lower case. */
  @Prop({ type: String, required: true })
  email!: string;

  /**
   * Whether the operator vouches for the address. A user who came by an invitation only claims theirs: such a user takes
   * the address from nobody, and several may claim the same.
   */
  @Prop({ type: Boolean, required: true })
  emailProven!: boolean;

  @Prop({ type: String, required: true })
  name!: string;

  /** May do what only the operator of the installation may. */
  @Prop({ type: Boolean, required: true, default: false })
  operator!: boolean;

  /** Where a platform key acts when the request names no workspace. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  defaultWorkspaceId!: Types.ObjectId | null;

  /** Grows when something is counted per user: two such transactions at once conflict, and one is run again. */
  @Prop({ type: Number, required: true, default: 0 })
  revision!: number;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
