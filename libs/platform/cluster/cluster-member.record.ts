import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';

/** A process that shares a kind of work until its entry expires. */
@Collection('cluster_members', {
  tenant: { notBecause: 'a process belongs to the installation' },
  indexes: [
    { serves: 'the live members of a kind of work', fields: { work: 1, expiresAt: 1 } },
    { serves: 'the removal of expired members', fields: { expiresAt: 1 }, expireAfterSeconds: 3_600 },
  ],
  impersonal: {
    'a process and its work': ['_id', 'work'],
  },
})
export class ClusterMemberRecord {
  @Prop({ type: String, required: true })
  _id!: string;

  @Prop({ type: String, required: true })
  work!: string;

  @Prop({ type: Date, required: true })
  expiresAt!: Date;
}
