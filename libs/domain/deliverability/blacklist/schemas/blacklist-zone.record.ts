import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { SELF_TEST_OUTCOMES, type SelfTestOutcome } from '../lookups/zone-self-check';

/** The last self-test of a zone. */
@Collection('blacklist_zones', { tenant: { notBecause: 'zones are the same for every workspace' }, indexes: [] })
export class BlacklistZoneRecord {
  /** `zone/kind` */
  @Prop({ type: String, required: true })
  _id!: string;

  /** Fingerprint of how it was asked: by another suffix, or other codes, it is tested anew. */
  @Prop({ type: String, required: true })
  asked!: string;

  @Prop({ type: String, enum: SELF_TEST_OUTCOMES, required: true })
  outcome!: SelfTestOutcome;

  @Prop({ type: String, default: null })
  detail!: string | null;

  @Prop({ type: Date, required: true })
  testedAt!: Date;

  /** Until then it is believed. */
  @Prop({ type: Date, required: true })
  goodUntil!: Date;
}
