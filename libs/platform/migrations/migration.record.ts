import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';

/** A migration that this database has seen. */
@Collection('migrations', {
  tenant: { notBecause: 'the shape of what is stored is the same for all workspaces' },
  indexes: [],
})
export class MigrationRecord {
  /** Its name. */
  @Prop({ type: String, required: true })
  _id!: string;

  @Prop({ type: Date, required: true })
  appliedAt!: Date;

  /** Documents or indexes that it has changed; null for a database that was made by a release which had it already. */
  @Prop({ type: Number, default: null })
  changed!: number | null;
}
