import { Prop, raw } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type HealthTransition } from '../health/health-change';
import { type HealthReport, type HealthStatuses } from '../health/health-report';

/** A selector that the signature of one of the domain's own emails named. */
export interface LearnedSelector {
  selector: string;
  seenAt: Date;
}

/** A result that is stored, and of which not all mailboxes have been told yet. */
export interface PendingHealthEvent {
  transitions: HealthTransition[];
  /** When the domain is checked again, once everybody is told. */
  nextCheckAt: Date;
}

const unknown = { type: String, required: true, default: 'unknown' };
const statuses = () => raw({ mx: unknown, spf: unknown, dkim: unknown, dmarc: unknown });

/** How a sending domain of a workspace stands: all its mailboxes share its DNS records. */
@Collection('domain_health', {
  tenant: true,
  indexes: [
    { serves: 'how a domain stands, and that it stands once', fields: { workspaceId: 1, domain: 1 }, unique: true },
    { serves: 'the domains of a workspace, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    {
      serves: 'domains that are due for a check, in all workspaces',
      fields: { nextCheckAt: 1, _id: 1 },
      due: 'mailbox-health',
    },
  ],
})
export class DomainHealthRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** What stands behind the @ of its mailboxes, in A-labels and lower case. */
  @Prop({ type: String, required: true })
  domain!: string;

  /** The DKIM selector that a person has named; null: learned ones and those of the usual providers are tried. */
  @Prop({ type: String, default: null })
  dkimSelector!: string | null;

  /** The latest first, a few at most. */
  @Prop({ type: [new Schema({ selector: String, seenAt: Date }, { _id: false, id: false })], default: [] })
  learnedSelectors!: LearnedSelector[];

  /**
   * When it is checked. Whoever checks it moves this on by a few minutes first, which nobody else can do from the same value, and
   * stores only while it has stayed so: a check that dies is made again after those minutes, and two are never both stored.
   */
  @Prop({ type: Date, required: true })
  nextCheckAt!: Date;

  /** Grows with each result that is stored. */
  @Prop({ type: Number, required: true, default: 0 })
  revision!: number;

  /** Grows with each mailbox that comes to it: of that and of forgetting the domain, one is run again and sees the other. */
  @Prop({ type: Number, required: true, default: 0 })
  arrivals!: number;

  /** When the last result was found; null before the first. */
  @Prop({ type: Date, default: null })
  checkedAt!: Date | null;

  /** 0 to 100; null as long as nothing could be found out. */
  @Prop({ type: Number, default: null })
  healthScore!: number | null;

  /** Of the last check. */
  @Prop(statuses())
  statuses!: HealthStatuses;

  /** The last that each check could say: `unknown` as long as it could never say anything. */
  @Prop(statuses())
  settled!: HealthStatuses;

  /** All that the last check found: plain values of a bounded size. */
  @Prop({ type: Schema.Types.Mixed, default: null })
  report!: HealthReport | null;

  /** The day (UTC, YYYY-MM-DD) of the last entry in the history; null before the first. */
  @Prop({ type: String, default: null })
  notedOn!: string | null;

  @Prop({
    type: new Schema(
      {
        transitions: [
          new Schema({ check: String, from: String, to: String, problems: [String] }, { _id: false, id: false }),
        ],
        nextCheckAt: Date,
      },
      { _id: false, id: false },
    ),
    default: null,
  })
  untold!: PendingHealthEvent | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
