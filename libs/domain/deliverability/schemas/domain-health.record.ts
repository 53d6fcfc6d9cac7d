import { Prop, raw } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type HealthTransition } from '../health/health-change';
import { type HealthReport, type HealthStatuses } from '../health/health-report';

/** A selector of a signature on the domain's own mail. */
export interface LearnedSelector {
  selector: string;
  seenAt: Date;
}

/** A stored result that has not been written to all mailboxes yet. */
export interface PendingHealthEvent {
  transitions: HealthTransition[];
  /** The next check, once all mailboxes are updated. */
  nextCheckAt: Date;
}

const unknown = { type: String, required: true, default: 'unknown' };
const statuses = () => raw({ mx: unknown, spf: unknown, dkim: unknown, dmarc: unknown });

/** Health of a sending domain in a workspace; all its mailboxes share its DNS records. */
@Collection('domain_health', {
  tenant: true,
  indexes: [
    { serves: 'one record per domain of a workspace', fields: { workspaceId: 1, domain: 1 }, unique: true },
    { serves: 'the domains of a workspace, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    {
      serves: 'domains that are due for a check, in all workspaces',
      fields: { nextCheckAt: 1, _id: 1 },
      due: 'mailbox-health',
    },
  ],
  impersonal: {
    'DNS records of the workspace’s own domains': [
      'domain',
      'dkimSelector',
      'learnedSelectors',
      'statuses',
      'settled',
      'report',
      'notedOn',
      'pendingEvents',
    ],
  },
})
export class DomainHealthRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** Domain of its mailboxes, in A-labels and lower case. */
  @Prop({ type: String, required: true })
  domain!: string;

  /** Configured DKIM selector; null: learned ones and those of common providers are tried. */
  @Prop({ type: String, default: null })
  dkimSelector!: string | null;

  /** A few, the latest first. */
  @Prop({ type: [new Schema({ selector: String, seenAt: Date }, { _id: false, id: false })], default: [] })
  learnedSelectors!: LearnedSelector[];

  /**
   * Due time of the next check. A claim moves it forward by some minutes, which only one worker can do from the same value. The
   * result is stored only if it is unchanged: an interrupted check is repeated later, and never stored twice.
   */
  @Prop({ type: Date, required: true })
  nextCheckAt!: Date;

  /** Grows with each stored result. */
  @Prop({ type: Number, required: true, default: 0 })
  revision!: number;

  /** Grows with each new mailbox, so that enrolment and deletion of the domain conflict. */
  @Prop({ type: Number, required: true, default: 0 })
  arrivals!: number;

  /** Time of the last result; null before the first. */
  @Prop({ type: Date, default: null })
  checkedAt!: Date | null;

  /** 0 to 100; null without any result. */
  @Prop({ type: Number, default: null })
  healthScore!: number | null;

  /** Results of the last check. */
  @Prop(statuses())
  statuses!: HealthStatuses;

  /** Last known result of each check; `unknown` before the first. */
  @Prop(statuses())
  settled!: HealthStatuses;

  /** Report of the last check: plain values of a bounded size. */
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
  pendingEvents!: PendingHealthEvent | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
