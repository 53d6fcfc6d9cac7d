import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/**
 * Figures per mailbox and day. Figures of sent mail belong to the day of the mail, even if known later; all others to the day of
 * the fact.
 *
 * Sent mail: `attempted` (handed over for the first time), `sent` (accepted; `openings` of these opened a thread), placement
 * (`inbox`, `promotions`, `spam`), `opened`, `repliesReceived`, `bounced` (permanently refused, or returned), `blocked` (the same
 * as unwanted mail), `deferred` (deferred at least once). Received mail: `received`, and `rescued` from spam.
 */
export const WARMUP_FIGURES = [
  'attempted',
  'sent',
  'openings',
  'inbox',
  'promotions',
  'spam',
  'opened',
  'repliesReceived',
  'bounced',
  'blocked',
  'deferred',
  'received',
  'rescued',
] as const;
export type WarmupFigure = (typeof WARMUP_FIGURES)[number];
export type WarmupFigures = Record<WarmupFigure, number>;

const whole = { type: Number, required: true, default: 0 };

/** Warmup figures of a mailbox on one day of its own zone, written by `$inc` in bulk. */
@Collection('warmup_days', {
  tenant: true,
  indexes: [
    {
      serves: 'one record per day; the figures of a mailbox by day',
      fields: { workspaceId: 1, mailboxId: 1, day: -1 },
      unique: true,
    },
  ],
  impersonal: {
    'a day': ['day'],
  },
})
export class WarmupDayRecord implements WarmupFigures {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  /** YYYY-MM-DD in the warmup's zone at that time. */
  @Prop({ type: String, required: true })
  day!: string;

  @Prop(whole)
  attempted!: number;

  @Prop(whole)
  sent!: number;

  @Prop(whole)
  openings!: number;

  @Prop(whole)
  inbox!: number;

  @Prop(whole)
  promotions!: number;

  @Prop(whole)
  spam!: number;

  @Prop(whole)
  opened!: number;

  @Prop(whole)
  repliesReceived!: number;

  @Prop(whole)
  bounced!: number;

  @Prop(whole)
  blocked!: number;

  @Prop(whole)
  deferred!: number;

  @Prop(whole)
  received!: number;

  @Prop(whole)
  rescued!: number;
}
