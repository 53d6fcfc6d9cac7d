import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { CHECK_RESULTS, type CheckResult, type ListingKind } from '../lookups/zone-check';
import { ZONE_KINDS, type ZoneKind } from '../zones/zone';

/** Result of one zone for a subject. */
export interface ZoneCheck {
  zone: string;
  result: CheckResult;
  /** For a listing only. */
  listing: ListingKind | null;
  codes: string[];
  /** Meaning of the codes, or why the result is unknown. */
  meaning: string | null;
  /** The zone's own text for a listing. */
  reason: string | null;
  /** Values at the time of the test. */
  weight: number;
  removalUrl: string | null;
}

/** Not cast: a test of hundreds of mailboxes has ten thousand of them, and casting took a third of its time. */
const CHECKS = { type: [Schema.Types.Mixed], required: true };

/** Findings of a test for one subject, for all mailboxes that share it. */
@Collection('blacklist_findings', {
  tenant: true,
  indexes: [
    {
      serves: 'one finding per subject of a test',
      fields: { workspaceId: 1, testId: 1, subject: 1 },
      unique: true,
    },
    { serves: 'expiry of findings', fields: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  impersonal: {
    'blacklist results for the workspace’s own domains and addresses': ['subject', 'listings', 'others'],
  },
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

  /** Listings: most readers need no other results. */
  @Prop(CHECKS)
  listings!: ZoneCheck[];

  /** Results of all other zones. */
  @Prop(CHECKS)
  others!: ZoneCheck[];

  /** Number of zones by result. */
  @Prop({
    type: new Schema(Object.fromEntries(CHECK_RESULTS.map((result) => [result, { type: Number, default: 0 }])), {
      _id: false,
      id: false,
    }),
    required: true,
  })
  counts!: Record<CheckResult, number>;

  /** Whether every zone was queried; an interrupted worker saves partial findings. */
  @Prop({ type: Boolean, required: true })
  complete!: boolean;

  @Prop({ type: Date, required: true })
  expiresAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
