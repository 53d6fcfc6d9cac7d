import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { WorkPartitionFields } from '@platform/work-partitions';
import { Schema, type Types } from 'mongoose';

/** The lease and the next run of a connection. Written at each run, therefore apart from the settings. */
@Collection('chat_work_partitions', {
  tenant: true,
  indexes: [
    {
      serves: 'connections that have something to post, oldest first',
      fields: { nextAt: 1, _id: 1 },
      due: 'chat-work',
      where: { nextAt: { $gt: new Date(0) } },
    },
    { serves: 'the partitions of a workspace', fields: { workspaceId: 1 } },
  ],
  impersonal: {
    'a worker': ['holder'],
  },
})
export class ChatWorkPartitionRecord extends WorkPartitionFields {
  /** The connection. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  override _id!: Types.ObjectId;
}
