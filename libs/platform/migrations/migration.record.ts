import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';

/** A migration that has run on this database. */
@Collection('migrations', {
  tenant: { notBecause: 'all workspaces share the schema of the database' },
  indexes: [],
  impersonal: {
    'the name of a migration': ['_id'],
  },
})
export class MigrationRecord {
  /** Name of the migration. */
  @Prop({ type: String, required: true })
  _id!: string;

  @Prop({ type: Date, required: true })
  appliedAt!: Date;

  /** Number of changed documents or indexes; null when the release that created the database already included the migration. */
  @Prop({ type: Number, default: null })
  changed!: number | null;
}
