import { type ScheduleRow } from '@platform/queues';

const MINUTE_MS = 60_000;
const TEN_MINUTES_MS = 600_000;

/** Every repeated job: name, interval, queue. */
export const schedules: readonly ScheduleRow[] = [
  { name: 'credit-expiry', rhythm: { everyMs: MINUTE_MS }, queue: 'credit-expiry' },
  { name: 'mailbox-erasure', rhythm: { everyMs: MINUTE_MS }, queue: 'mailbox-erasure' },
  { name: 'campaign-erasure', rhythm: { everyMs: MINUTE_MS }, queue: 'campaign-erasure' },
  { name: 'webhook-erasure', rhythm: { everyMs: MINUTE_MS }, queue: 'webhook-erasure' },
  { name: 'agent-erasure', rhythm: { everyMs: MINUTE_MS }, queue: 'agent-erasure' },
  { name: 'send-resolution', rhythm: { everyMs: 30_000 }, queue: 'send-resolution' },
  { name: 'lead-resume', rhythm: { everyMs: MINUTE_MS }, queue: 'lead-resume' },
  { name: 'tracking-verdict', rhythm: { everyMs: 5_000 }, queue: 'tracking-verdict' },
  { name: 'sender-protection', rhythm: { everyMs: 30_000 }, queue: 'sender-protection' },
  { name: 'event-relay', rhythm: { everyMs: 2_000 }, queue: 'event-relay' },
  { name: 'unreadable-mail', rhythm: { everyMs: TEN_MINUTES_MS }, queue: 'unreadable-mail' },
  { name: 'tracking-hosts', rhythm: { everyMs: TEN_MINUTES_MS }, queue: 'tracking-hosts' },
  { name: 'enrichment-expiry', rhythm: { everyMs: MINUTE_MS }, queue: 'enrichment-expiry' },
  { name: 'chat-check', rhythm: { everyMs: 6 * TEN_MINUTES_MS }, queue: 'chat-check' },
  { name: 'crm-check', rhythm: { everyMs: 6 * TEN_MINUTES_MS }, queue: 'crm-check' },
  { name: 'blacklist-schedule', rhythm: { everyMs: MINUTE_MS }, queue: 'blacklist-schedule' },
  { name: 'warmup-opening', rhythm: { everyMs: MINUTE_MS }, queue: 'warmup-opening' },
  { name: 'warmup-watch', rhythm: { everyMs: 3 * TEN_MINUTES_MS }, queue: 'warmup-watch' },
  { name: 'report-schedule', rhythm: { everyMs: 30_000 }, queue: 'report-schedule' },
  { name: 'warmup-plan', rhythm: { everyMs: 2 * MINUTE_MS }, queue: 'warmup-plan' },
  { name: 'crm-automation', rhythm: { everyMs: 15_000 }, queue: 'crm-automation' },
];
