import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/**
 * What is counted per mailbox and day: what becomes of its own mail on the day that the mail counts for, whenever that shows;
 * all else on the day on which it happened.
 *
 * Of its own mail: `attempted` (given to a server for the first time) and `sent` (accepted; of these `openings` began a thread,
 * the others answered); where it was found (`inbox`, `promotions`, `spam`); `opened`; `repliesReceived`; and what became of the
 * rest: `bounced` (refused for good, or returned), `blocked` (the same, as unwanted), `deferred` (put off at least once, whatever
 * came later). Of others' mail: `received`, and of it `rescued` from spam.
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

/** The warmup of one mailbox on one day of its own zone. Written by `$inc`, many in one bulk write. */
@Collection('warmup_days', {
  tenant: true,
  indexes: [
    {
      serves: 'the figures of one mailbox, by day; that a day has one record',
      fields: { workspaceId: 1, mailboxId: 1, day: -1 },
      unique: true,
    },
  ],
})
export class WarmupDayRecord implements WarmupFigures {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  /** YYYY-MM-DD in the zone that the warmup had at the time. */
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
