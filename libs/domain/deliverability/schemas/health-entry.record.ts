import { Prop, raw } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type HealthTransition } from '../health/health-change';
import { type HealthStatuses } from '../health/health-report';

/** Retention of the history of a domain. */
export const HISTORY_DAYS = 90;

const status = { type: String, required: true };

/** Health of a domain at one time: written after a change, and once a day. */
@Collection('domain_health_history', {
  tenant: true,
  indexes: [
    { serves: 'the history of a domain', fields: { workspaceId: 1, domain: 1, createdAt: -1, _id: -1 } },
    {
      serves: 'expiry of entries',
      fields: { createdAt: 1 },
      expireAfterSeconds: HISTORY_DAYS * 86_400,
    },
  ],
  impersonal: {
    'statuses of the workspace’s own domains': ['domain', 'statuses', 'transitions'],
  },
})
export class HealthEntryRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, required: true })
  domain!: string;

  /** 0 to 100; null without any result. */
  @Prop({ type: Number, default: null })
  healthScore!: number | null;

  @Prop(raw({ mx: status, spf: status, dkim: status, dmarc: status }))
  statuses!: HealthStatuses;

  /** Checks that began or ceased to fail. */
  @Prop({
    type: [new Schema({ check: String, from: String, to: String, problems: [String] }, { _id: false, id: false })],
    default: [],
  })
  transitions!: HealthTransition[];

  /** Time of the result. */
  @Prop({ type: Date })
  createdAt!: Date;
}
