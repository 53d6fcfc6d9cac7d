import { Prop } from '@nestjs/mongoose';
import { type ClockPort } from '@platform/clock';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** One failure may be a network fault in between. From the second on, new emails do not use the host. */
export const FAILURES_TO_STOP = 2;
const CHECK_INTERVAL_MS = 86_400_000;

/** Returns the time of the next check of a working host. */
export function nextCheckAt(clock: ClockPort): Date {
  return clock.in(CHECK_INTERVAL_MS);
}

/** Whether new emails use the host. */
export function isInUse({ failures = 0 }: Pick<TrackingHostRecord, 'failures'>): boolean {
  return failures < FAILURES_TO_STOP;
}

/** A workspace's own web host for the tracking URLs of its emails. */
@Collection('tracking_hosts', {
  tenant: true,
  indexes: [
    { serves: 'the host of a workspace, at most one', fields: { workspaceId: 1 }, unique: true },
    { serves: 'a host belongs to one workspace', fields: { url: 1 }, unique: true },
    {
      serves: 'hosts whose check is due, in all workspaces',
      fields: { checkAt: 1 },
      due: 'tracking-hosts',
    },
  ],
  impersonal: {
    'the workspace’s own host': ['url', 'problem'],
  },
})
export class TrackingHostRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** Scheme, host and port, without a slash at the end. */
  @Prop({ type: String, required: true })
  url!: string;

  /** When the last check succeeded. */
  @Prop({ type: Date, required: true })
  verifiedAt!: Date;

  /** When the next check is due; absent in records older than the checks. */
  @Prop({ type: Date })
  checkAt?: Date;

  /** Consecutive failed checks; absent before the first. */
  @Prop({ type: Number })
  failures?: number;

  /** The reason of the last failure. */
  @Prop({ type: String, default: null })
  problem?: string | null;

  @Prop({ type: Date })
  createdAt!: Date;
}
