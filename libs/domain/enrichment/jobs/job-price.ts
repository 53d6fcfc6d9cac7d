import { type Types } from 'mongoose';

/** Credits for an item with a decisive answer; other answers are free. */
export const CREDITS_PER_ITEM = 1;
/** Retention of a job with its results: 7 days from its creation (milliseconds). */
export const RETENTION_MS = 7 * 86_400_000;
/** Lifetime of the reservation (milliseconds): it outlives the job, so that a late end still finds it. */
export const RESERVED_MS = 60 * 86_400_000;

/** The operation under which the credits of a job are reserved. */
export function getOperation(jobId: Types.ObjectId): string {
  return `enrichment:${jobId.toHexString()}`;
}
