import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** A person. Users belong to the installation; each workspace stores their role in it. */
@Collection('users', {
  tenant: { notBecause: 'a user may be a member of several workspaces' },
  indexes: [
    {
      serves: 'the user with a proven email address; one user per proven address',
      fields: { email: 1 },
      unique: true,
      where: { emailProven: true },
    },
    { serves: 'the operator lists users, newest first', fields: { createdAt: -1, _id: -1 } },
  ],
  impersonal: {
    'a person who works here, who is no recipient of its mail': ['email', 'name'],
  },
})
export class UserRecord {
  _id!: Types.ObjectId;

  /** In lower case. */
  @Prop({ type: String, required: true })
  email!: string;

  /**
   * Whether the operator vouches for the address. A user who joined by invitation only claims it: several users may
   * claim one address, and a claim does not block the user who proves it.
   */
  @Prop({ type: Boolean, required: true })
  emailProven!: boolean;

  @Prop({ type: String, required: true })
  name!: string;

  /** May do what only the operator of the installation may do. */
  @Prop({ type: Boolean, required: true, default: false })
  operator!: boolean;

  /** The workspace of a platform key when the request names none. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  defaultWorkspaceId!: Types.ObjectId | null;

  /** Grows when something is counted per user: two such transactions conflict, and one is rerun. */
  @Prop({ type: Number, required: true, default: 0 })
  revision!: number;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
