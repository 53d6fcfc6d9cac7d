import { Prop } from '@nestjs/mongoose';
import { type ClockPort } from '@platform/clock';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** Once may be a fault of the network between us; from the second time on emails do not name the host. */
export const FAILURES_TO_STOP = 2;
const CHECKED_EVERY_MS = 86_400_000;

/** When a host that leads here is looked at again. */
export function nextCheckAt(clock: ClockPort): Date {
  return clock.in(CHECKED_EVERY_MS);
}

/** Whether emails name the host. */
export function isInUse({ failures = 0 }: Pick<TrackingHostRecord, 'failures'>): boolean {
  return failures < FAILURES_TO_STOP;
}

/** A web address of a workspace's own, under which its emails link to this platform. */
@Collection('tracking_hosts', {
  tenant: true,
  indexes: [
    { serves: 'the host of a workspace, and that it has one', fields: { workspaceId: 1 }, unique: true },
    { serves: 'that a host is one workspace’s', fields: { url: 1 }, unique: true },
    {
      serves: 'hosts that are to be looked at again, in all workspaces',
      fields: { checkAt: 1 },
      due: 'tracking-hosts',
    },
  ],
})
export class TrackingHostRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** Scheme, host and port, without a slash at the end. */
  @Prop({ type: String, required: true })
  url!: string;

  /** When it was last seen to lead here. */
  @Prop({ type: Date, required: true })
  verifiedAt!: Date;

  /** When it is looked whether it still does; absent on those from before that was done. */
  @Prop({ type: Date })
  checkAt?: Date;

  /** Looks in a row at which it did not; absent before the first. */
  @Prop({ type: Number })
  failures?: number;

  /** What was found there then. */
  @Prop({ type: String, default: null })
  problem?: string | null;

  @Prop({ type: Date })
  createdAt!: Date;
}
