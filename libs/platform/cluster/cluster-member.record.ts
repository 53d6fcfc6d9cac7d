import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';

/** A process that takes part in dividing up work, for as long as it says so. */
@Collection('fleet_members', {
  tenant: { notBecause: 'it is a process of the installation' },
  indexes: [
    { serves: 'who is alive for a kind of work', fields: { work: 1, expiresAt: 1 } },
    { serves: 'that the dead are forgotten', fields: { expiresAt: 1 }, expireAfterSeconds: 3_600 },
  ],
})
export class ClusterMemberRecord {
  @Prop({ type: String, required: true })
  _id!: string;

  @Prop({ type: String, required: true })
  work!: string;

  @Prop({ type: Date, required: true })
  expiresAt!: Date;
}
