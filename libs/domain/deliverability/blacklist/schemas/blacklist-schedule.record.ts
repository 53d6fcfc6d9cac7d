import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** Repeats a test every so many days. */
@Collection('blacklist_schedules', {
  tenant: true,
  indexes: [
    { serves: 'the list of schedules, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    { serves: 'schedules that are due', fields: { nextAt: 1, _id: 1 }, due: 'blacklist-schedule' },
  ],
})
export class BlacklistScheduleRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** As whom it begins tests. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  userId!: Types.ObjectId;

  /** null: each test is named by its day. */
  @Prop({ type: String, default: null })
  testName!: string | null;

  @Prop({ type: [Schema.Types.ObjectId], required: true })
  mailboxIds!: Types.ObjectId[];

  @Prop({ type: Number, required: true })
  everyDays!: number;

  /** When its first test began: from then on its days are counted, so that none that comes late makes the next ones late. */
  @Prop({ type: Date, required: true })
  beganAt!: Date;

  @Prop({ type: Date, required: true })
  nextAt!: Date;

  /** The last test that it began. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  lastTestId!: Types.ObjectId;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
