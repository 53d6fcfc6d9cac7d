import { type ScheduleRow } from '@platform/queues';

const MINUTE_MS = 60_000;
const TEN_MINUTES_MS = 600_000;

/** Every repeated job: name, interval, queue. */
export const schedules: readonly ScheduleRow[] = [
  { name: 'credit-expiry', interval: { everyMs: MINUTE_MS }, queue: 'credit-expiry' },
  { name: 'mailbox-erasure', interval: { everyMs: MINUTE_MS }, queue: 'mailbox-erasure' },
  { name: 'campaign-erasure', interval: { everyMs: MINUTE_MS }, queue: 'campaign-erasure' },
  { name: 'webhook-erasure', interval: { everyMs: MINUTE_MS }, queue: 'webhook-erasure' },
  { name: 'agent-erasure', interval: { everyMs: MINUTE_MS }, queue: 'agent-erasure' },
  { name: 'send-resolution', interval: { everyMs: 30_000 }, queue: 'send-resolution' },
  { name: 'lead-resume', interval: { everyMs: MINUTE_MS }, queue: 'lead-resume' },
  { name: 'tracking-verdict', interval: { everyMs: 5_000 }, queue: 'hit-classification' },
  { name: 'sender-protection', interval: { everyMs: 30_000 }, queue: 'sender-protection' },
  { name: 'event-relay', interval: { everyMs: 2_000 }, queue: 'event-relay' },
  { name: 'unreadable-mail', interval: { everyMs: TEN_MINUTES_MS }, queue: 'unreadable-mail' },
  { name: 'tracking-hosts', interval: { everyMs: TEN_MINUTES_MS }, queue: 'tracking-hosts' },
  { name: 'enrichment-expiry', interval: { everyMs: MINUTE_MS }, queue: 'enrichment-expiry' },
  { name: 'chat-check', interval: { everyMs: 6 * TEN_MINUTES_MS }, queue: 'chat-check' },
  { name: 'crm-check', interval: { everyMs: 6 * TEN_MINUTES_MS }, queue: 'crm-check' },
  { name: 'blacklist-schedule', interval: { everyMs: MINUTE_MS }, queue: 'blacklist-schedule' },
  { name: 'warmup-opening', interval: { everyMs: MINUTE_MS }, queue: 'warmup-opening' },
  { name: 'warmup-watch', interval: { everyMs: 3 * TEN_MINUTES_MS }, queue: 'warmup-watch' },
  { name: 'report-schedule', interval: { everyMs: 30_000 }, queue: 'report-schedule' },
  { name: 'warmup-plan', interval: { everyMs: 2 * MINUTE_MS }, queue: 'warmup-plan' },
  { name: 'crm-automation', interval: { everyMs: 15_000 }, queue: 'crm-automation' },
];
