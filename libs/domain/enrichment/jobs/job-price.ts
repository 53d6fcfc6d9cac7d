import { type Types } from 'mongoose';

/** Credits for an item of which the answer is decisive; others are free. */
export const CREDITS_PER_ITEM = 1;
/** How long a job, with all that it found out, can be read: 7 days from its creation (milliseconds). */
export const RETENTION_MS = 7 * 86_400_000;
/** The reservation outlives the job by weeks: what ends a job late still finds it. */
export const RESERVED_MS = 60 * 86_400_000;

/** The name under which the credits of a job are reserved. */
export function getOperation(jobId: Types.ObjectId): string {
  return `enrichment:${jobId.toHexString()}`;
}
