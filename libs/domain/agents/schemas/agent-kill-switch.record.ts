import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** Whether the agents of a workspace are switched off; without a record they are on. */
@Collection('agent_kill_switches', {
  tenant: true,
  indexes: [{ serves: 'the switch of a workspace', fields: { workspaceId: 1 }, unique: true }],
  impersonal: {
    'a reason and a user of the workspace itself': ['reason', 'changedBy'],
  },
})
export class AgentKillSwitchRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Boolean, required: true })
  off!: boolean;

  /** The reason that the last person gave. */
  @Prop({ type: String, default: null })
  reason!: string | null;

  /** User id of that person; null for a workspace key and the operator. */
  @Prop({ type: String, default: null })
  changedBy!: string | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
