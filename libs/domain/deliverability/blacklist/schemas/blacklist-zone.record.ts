import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { SELF_TEST_OUTCOMES, type SelfTestOutcome } from '../lookups/zone-self-check';

/** Last self-test of a zone. */
@Collection('blacklist_zones', {
  tenant: { notBecause: 'zones are the same for every workspace' },
  indexes: [],
  impersonal: { 'a DNS zone and its answers': ['_id', 'asked', 'detail'] },
})
export class BlacklistZoneRecord {
  /** `zone/kind` */
  @Prop({ type: String, required: true })
  _id!: string;

  /** Fingerprint of suffix and codes: a change requires a new self-test. */
  @Prop({ type: String, required: true })
  asked!: string;

  @Prop({ type: String, enum: SELF_TEST_OUTCOMES, required: true })
  outcome!: SelfTestOutcome;

  @Prop({ type: String, default: null })
  detail!: string | null;

  @Prop({ type: Date, required: true })
  testedAt!: Date;

  /** Until when the result is valid. */
  @Prop({ type: Date, required: true })
  goodUntil!: Date;
}
