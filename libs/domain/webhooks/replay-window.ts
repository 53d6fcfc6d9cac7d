import { invalidField } from '@platform/errors';
import { type ReplayWebhookRequest } from './dto/webhook-requests.dto';
import { RETENTION_SECONDS } from './schemas/webhook-delivery.record';

const RETENTION_MS = RETENTION_SECONDS * 1_000;

/**
 * Returns the time window of a replay, which excludes the future: those events are delivered anyway.
 * @throws VALIDATION_ERROR naming `from` or `to`
 */
export function requireReplayWindow(
  input: Pick<ReplayWebhookRequest, 'from' | 'to'>,
  now: Date,
): { from: Date; to: Date } {
  const from = new Date(input.from);
  const to = new Date(Math.min(Date.parse(input.to), now.getTime()));
  if (Date.parse(input.to) <= from.getTime()) throw invalidField('to', 'to must be later than from');
  if (from >= now) throw invalidField('from', 'from must be past');
  if (now.getTime() - from.getTime() > RETENTION_MS)
    throw invalidField('from', 'from must not be more than 30 days ago');
  return { from, to };
}
