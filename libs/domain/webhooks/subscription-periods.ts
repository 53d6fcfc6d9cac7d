import { type EventType } from '@domain/events';
import { type WebhookPeriod } from './schemas/webhook.record';

/** Events are relayed within seconds, after an outage within hours: older periods are never needed. */
const RETENTION_MS = 7 * 86_400_000;

/** The periods of a webhook that wants `events` from `from` on (none: inactive). */
export function updatePeriods(
  periods: readonly WebhookPeriod[],
  events: readonly EventType[],
  from: Date,
): WebhookPeriod[] {
  const since = from.getTime() - RETENTION_MS;
  const recent = periods.filter((_period, at) => {
    const next = periods[at + 1];
    return next === undefined || next.from.getTime() > since;
  });
  return [...recent, { from, events: [...events] }];
}

/** Whether the webhook was active and subscribed to the type when the event was recorded. */
export function wasSubscribed(periods: readonly WebhookPeriod[], type: EventType, recordedAt: Date): boolean {
  return periods.findLast(({ from }) => from <= recordedAt)?.events.includes(type) ?? false;
}
