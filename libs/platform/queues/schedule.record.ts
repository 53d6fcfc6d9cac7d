import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';

/** When a repeating job runs next. */
@Collection('schedules', {
  tenant: { notBecause: 'repeating jobs belong to the installation' },
  indexes: [],
  impersonal: { 'the name of a schedule': ['_id'] },
})
export class ScheduleRecord {
  /** Name of the row in the worker's table. */
  @Prop({ type: String, required: true })
  _id!: string;

  @Prop({ type: Date, required: true })
  nextRunAt!: Date;

  @Prop({ type: Date, default: null })
  lastRunAt!: Date | null;
}
