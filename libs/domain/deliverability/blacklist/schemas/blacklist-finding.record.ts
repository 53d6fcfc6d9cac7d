import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { CHECK_RESULTS, type CheckResult, type ListingKind } from '../lookups/zone-check';
import { ZONE_KINDS, type ZoneKind } from '../zones/zone';

/** What one zone said of a subject. */
export interface ZoneCheck {
  zone: string;
  result: CheckResult;
  /** Of a listing only. */
  listing: ListingKind | null;
  codes: string[];
  /** What the codes mean, or why nothing is known. */
  meaning: string | null;
  /** The zone's own words for a listing. */
  reason: string | null;
  /** As they were at the time of the test. */
  weight: number;
  removalUrl: string | null;
}

/** Taken as they are: a test of hundreds of mailboxes has ten thousands of them, and to cast each took a third of its time. */
const CHECKS = { type: [Schema.Types.Mixed], required: true };

/** What a test found out about one subject, for all mailboxes that have it. */
@Collection('blacklist_findings', {
  tenant: true,
  indexes: [
    {
      serves: 'what a test found, each subject once',
      fields: { workspaceId: 1, testId: 1, subject: 1 },
      unique: true,
    },
    { serves: 'forgets findings', fields: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
})
export class BlacklistFindingRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  testId!: Types.ObjectId;

  /** Address in canonical spelling, or domain in A-labels. */
  @Prop({ type: String, required: true })
  subject!: string;

  @Prop({ type: String, enum: ZONE_KINDS, required: true })
  kind!: ZoneKind;

  /** Zones in which it is listed: what most readers want, without the rest. */
  @Prop(CHECKS)
  listings!: ZoneCheck[];

  /** All other zones. */
  @Prop(CHECKS)
  others!: ZoneCheck[];

  /** How many zones said what. */
  @Prop({
    type: new Schema(Object.fromEntries(CHECK_RESULTS.map((result) => [result, { type: Number, default: 0 }])), {
      _id: false,
      id: false,
    }),
    required: true,
  })
  counts!: Record<CheckResult, number>;

  /** Whether every zone was asked: a worker that has to stop keeps what it has. */
  @Prop({ type: Boolean, required: true })
  complete!: boolean;

  @Prop({ type: Date, required: true })
  expiresAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
