import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** What is counted per day. docs/users/analytics.md defines each. */
export const DAY_FIGURES = [
  'contacted',
  'sent',
  'opened',
  'clicked',
  'replied',
  'positiveReplied',
  'bounced',
  'unsubscribed',
  'autoReplied',
  'complained',
] as const;
export type DayFigure = (typeof DAY_FIGURES)[number];
export type DayFigures = Record<DayFigure, number>;

/**
 * A campaign on one day of UTC, made from events by the relay: one record with all mailboxes together, and one for each of
 * them. It has the figures of the day and of its quarters of an hour, because days of other zones are made of those.
 */
@Collection('campaign_days', {
  tenant: true,
  indexes: [
    {
      serves: 'a campaign day by day, and that each day is there once',
      fields: { workspaceId: 1, campaignId: 1, mailboxId: 1, day: 1 },
      unique: true,
    },
    {
      serves: 'all campaigns (mailboxId null), or mailboxes, in a time',
      fields: { workspaceId: 1, mailboxId: 1, day: 1 },
    },
  ],
})
export class CampaignDayRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  campaignId!: Types.ObjectId;

  /** null: all together. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  mailboxId!: Types.ObjectId | null;

  /** Its first moment in UTC. */
  @Prop({ type: Date, required: true })
  day!: Date;

  /** Absent figures are zeros. */
  @Prop({ type: Schema.Types.Mixed })
  figures?: Partial<DayFigures>;

  /** By number of the quarter of an hour, from 0 to 95; those in which nothing happened are absent. */
  @Prop({ type: Schema.Types.Mixed })
  quarters?: Record<string, Partial<DayFigures>>;
}
