import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';

const MAINTENANCE_STATES = ['restoring', 'held'] as const;
/** `restoring`: the database is being written anew, nobody may use it; `held`: it can be read and changed, and nothing goes out. */
export type MaintenanceState = (typeof MAINTENANCE_STATES)[number];

/** Why the installation is at rest. At most one record. */
@Collection('holds', {
  tenant: { notBecause: 'it holds back all that the installation does by itself' },
  indexes: [],
})
export class MaintenanceModeRecord {
  @Prop({ type: String, required: true })
  _id!: string;

  @Prop({ type: String, enum: MAINTENANCE_STATES, required: true })
  state!: MaintenanceState;

  /** The moment of which the database is. */
  @Prop({ type: Date, required: true })
  backupAt!: Date;

  /** When it was restored. */
  @Prop({ type: Date, required: true })
  since!: Date;
}
