import { type ScheduleRow } from '@platform/queues';

const MINUTE_MS = 60_000;

/** Every repeating job: name, rhythm, queue. */
export const schedules: readonly ScheduleRow[] = [
  { name: 'credit-expiry', rhythm: { everyMs: MINUTE_MS }, queue: 'credit-expiry' },
  { name: 'mailbox-erasure', rhythm: { everyMs: MINUTE_MS }, queue: 'mailbox-erasure' },
];
