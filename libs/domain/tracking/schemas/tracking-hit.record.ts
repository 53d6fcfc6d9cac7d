import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

const HIT_KINDS = ['open', 'click', 'honeypot'] as const;
export type HitKind = (typeof HIT_KINDS)[number];

/**
 * `machine`: a scanner or another program; `prefetch`: loaded by a mail program's own service before anyone reads the mail;
 * `self`: the sender's own side; `unknown`: no evidence either way.
 */
const HIT_VERDICTS = ['human', 'machine', 'prefetch', 'self', 'unknown'] as const;
export type HitVerdict = (typeof HIT_VERDICTS)[number];

/** Once counted, raw hits only serve to explain a verdict. */
const RETENTION_SECONDS = 90 * 86_400;

/**
 * The requests of one client for one pixel or link of one email within ten seconds. Requests of another form (HEAD, a
 * prefetch header) make another record.
 */
@Collection('tracking_hits', {
  tenant: true,
  indexes: [
    { serves: 'all hits of an email, the latest first', fields: { workspaceId: 1, sendId: 1, firstAt: -1 } },
    {
      serves: 'hits whose verdict is due, in all workspaces',
      fields: { classifyAt: 1 },
      due: 'hit-classification',
      where: { classifyAt: { $gt: new Date(0) } },
    },
    { serves: 'expiry of hits after 90 days', fields: { firstAt: 1 }, expireAfterSeconds: RETENTION_SECONDS },
  ],
})
export class TrackingHitRecord {
  /** Derived from all distinguishing fields, so that a repetition updates the same record. */
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

  /** Hash of user agent and network. */
  @Prop({ type: String, required: true })
  client!: string;

  /** As received, cut to 300 characters. */
  @Prop({ type: String })
  userAgent!: string;

  /** Network of the client: /24 of IPv4, /48 of IPv6. The full address is never stored. */
  @Prop({ type: String })
  network!: string;

  @Prop({ type: Boolean })
  head!: boolean;

  /** A header announced a prefetch. */
  @Prop({ type: Boolean })
  ahead!: boolean;

  @Prop({ type: Number, required: true })
  count!: number;

  @Prop({ type: Date, required: true })
  firstAt!: Date;

  @Prop({ type: Date, required: true })
  lastAt!: Date;

  /** When the classification is due; null once it is done. */
  @Prop({ type: Date })
  classifyAt!: Date | null;

  @Prop({ type: String })
  verdict!: HitVerdict | null;

  /** The rule that decided; docs/users/tracking.md lists the rules. */
  @Prop({ type: String })
  rule!: string | null;
}
