import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** The figures per day; defined in docs/users/analytics.md. */
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
 * A campaign on one day of UTC, built from relayed events: one record with the sum of all mailboxes, and one per
 * mailbox. It has figures of the day and of its quarters of an hour, from which days of other zones are added up.
 */
@Collection('campaign_days', {
  tenant: true,
  indexes: [
    {
      serves: 'a campaign by day, and one record per day',
      fields: { workspaceId: 1, campaignId: 1, mailboxId: 1, day: 1 },
      unique: true,
    },
    {
      serves: 'all campaigns (mailboxId null), or mailboxes, in a period',
      fields: { workspaceId: 1, mailboxId: 1, day: 1 },
    },
  ],
  impersonal: {
    figures: ['figures', 'quarters'],
  },
})
export class CampaignDayRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  campaignId!: Types.ObjectId;

  /** null: the sum of all mailboxes. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  mailboxId!: Types.ObjectId | null;

  /** Its first moment in UTC. */
  @Prop({ type: Date, required: true })
  day!: Date;

  /** Absent figures are 0. */
  @Prop({ type: Schema.Types.Mixed })
  figures?: Partial<DayFigures>;

  /** By number of the quarter of an hour, from 0 to 95; quarters without activity are absent. */
  @Prop({ type: Schema.Types.Mixed })
  quarters?: Record<string, Partial<DayFigures>>;
}
