import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';

const MAINTENANCE_STATES = ['restoring', 'active'] as const;
/** `restoring`: a restore rewrites the database, and no process may use it; `active`: records can be read and changed, but nothing is sent. */
export type MaintenanceState = (typeof MAINTENANCE_STATES)[number];

/** The maintenance mode of the installation. At most one record. */
@Collection('maintenance_modes', {
  tenant: { notBecause: 'maintenance mode stops all automatic work of the installation' },
  indexes: [],
  impersonal: {
    'a constant': ['_id'],
  },
})
export class MaintenanceModeRecord {
  @Prop({ type: String, required: true })
  _id!: string;

  @Prop({ type: String, enum: MAINTENANCE_STATES, required: true })
  state!: MaintenanceState;

  /** The time whose state the database has. */
  @Prop({ type: Date, required: true })
  backupAt!: Date;

  /** When it was restored. */
  @Prop({ type: Date, required: true })
  since!: Date;
}
