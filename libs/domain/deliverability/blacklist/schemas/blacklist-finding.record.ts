import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { CHECK_RESULTS, type CheckResult, LISTING_KINDS, type ListingKind } from '../listing/zone.check';
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

const text = { type: String, default: null };
const check = new Schema(
  {
    zone: { type: String, required: true },
    result: { type: String, enum: CHECK_RESULTS, required: true },
    listing: { type: String, enum: [...LISTING_KINDS, null], default: null },
    codes: [String],
    meaning: text,
    reason: text,
    weight: { type: Number, required: true },
    removalUrl: text,
  },
  { _id: false, id: false },
);

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
  @Prop({ type: [check], required: true })
  listings!: ZoneCheck[];

  /** All other zones. */
  @Prop({ type: [check], required: true })
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
