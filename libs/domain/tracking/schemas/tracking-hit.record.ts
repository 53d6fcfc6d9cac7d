import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

const HIT_KINDS = ['open', 'click', 'honeypot'] as const;
export type HitKind = (typeof HIT_KINDS)[number];

/**
 * `machine`: a scanner or another program; `prefetch`: loaded ahead by a mail program's own service, whoever reads it or
 * not; `self`: the sender's own side; `unknown`: nothing says who.
 */
const HIT_VERDICTS = ['human', 'machine', 'prefetch', 'self', 'unknown'] as const;
export type HitVerdict = (typeof HIT_VERDICTS)[number];

/** Raw hits are of no use once they are judged and counted, except to explain a verdict. */
const KEPT_SECONDS = 90 * 86_400;

/**
 * What one client did with one pixel or link of one email within ten seconds, however often. Hits of whoever does it in
 * another way (HEAD, a header that says prefetch) are another record.
 */
@Collection('tracking_hits', {
  tenant: true,
  indexes: [
    { serves: 'all hits of an email, the latest first', fields: { workspaceId: 1, sendId: 1, firstAt: -1 } },
    {
      serves: 'hits whose verdict is due, in all workspaces',
      fields: { judgeAt: 1 },
      due: 'tracking-verdict',
      where: { judgeAt: { $gt: new Date(0) } },
    },
    { serves: 'that hits are forgotten after 90 days', fields: { firstAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
  ],
})
export class TrackingHitRecord {
  /** Made of all that tells hits apart, so that the same again is the same record. */
  @Prop({ type: String, required: true })
  _id!: string;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  sendId!: Types.ObjectId;

  @Prop({ type: String, enum: HIT_KINDS, required: true })
  kind!: HitKind;

  /** Number of the link; null unless it is a click. */
  @Prop({ type: Number })
  link!: number | null;

  /** User agent and network in one word. */
  @Prop({ type: String, required: true })
  client!: string;

  /** As it was sent, cut to 300 characters. */
  @Prop({ type: String })
  userAgent!: string;

  /** Where from: /24 of IPv4, /48 of IPv6. The whole address is never stored. */
  @Prop({ type: String })
  network!: string;

  @Prop({ type: Boolean })
  head!: boolean;

  /** A header said that this is loaded ahead. */
  @Prop({ type: Boolean })
  ahead!: boolean;

  @Prop({ type: Number, required: true })
  count!: number;

  @Prop({ type: Date, required: true })
  firstAt!: Date;

  @Prop({ type: Date, required: true })
  lastAt!: Date;

  /** When its verdict is due; null when it has one. */
  @Prop({ type: Date })
  judgeAt!: Date | null;

  @Prop({ type: String })
  verdict!: HitVerdict | null;

  /** Which rule decided. */
  @Prop({ type: String })
  rule!: string | null;
}
