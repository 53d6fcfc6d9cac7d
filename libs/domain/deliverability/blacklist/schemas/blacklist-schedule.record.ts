import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** Repeats a test every few days. */
@Collection('blacklist_schedules', {
  tenant: true,
  indexes: [
    { serves: 'the list of schedules, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    { serves: 'schedules that are due', fields: { nextAt: 1, _id: 1 }, due: 'blacklist-schedule' },
  ],
  impersonal: {
    'the name of a test': ['testName'],
  },
})
export class BlacklistScheduleRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** The user on whose behalf it starts tests. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  userId!: Types.ObjectId;

  /** null: each test is named by its day. */
  @Prop({ type: String, default: null })
  testName!: string | null;

  @Prop({ type: [Schema.Types.ObjectId], required: true })
  mailboxIds!: Types.ObjectId[];

  @Prop({ type: Number, required: true })
  everyDays!: number;

  /** Time of its first test, from which all due times are counted: a late test does not shift the next ones. */
  @Prop({ type: Date, required: true })
  beganAt!: Date;

  @Prop({ type: Date, required: true })
  nextAt!: Date;

  /** Its latest test. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  lastTestId!: Types.ObjectId;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
