import { isDeepStrictEqual } from 'node:util';
import { type UpdateWebhookRequest } from './dto/webhook-requests.dto';
import { type WebhookRecord } from './schemas/webhook.record';
import { updatePeriods } from './subscription-periods';

type Settings = Pick<WebhookRecord, 'name' | 'url' | 'events' | 'retryAttempts' | 'timeoutMs' | 'status'>;

const SETTINGS = ['name', 'url', 'events', 'retryAttempts', 'timeoutMs', 'status'] as const;

/** Returns the settings that an update changes, with the derived fields; empty without a change. */
export function getWebhookChanges(
  before: WebhookRecord,
  input: UpdateWebhookRequest,
  now: Date,
): Partial<WebhookRecord> {
  const changed = SETTINGS.filter((name) => input[name] !== undefined && !isDeepStrictEqual(before[name], input[name]));
  if (changed.length === 0) return {};
  const changes: Partial<Settings> = Object.fromEntries(changed.map((name) => [name, input[name]]));
  const settings: Settings = before;
  return { ...changes, ...getDerivedChanges(before, { ...settings, ...changes }, now) };
}

/** The fields that follow from changed settings. */
function getDerivedChanges(before: WebhookRecord, after: Settings, now: Date): Partial<WebhookRecord> {
  const isOn = after.status === 'active';
  const hasNewStatus = after.status !== before.status;
  const wantsOthers = isOn && !isDeepStrictEqual(before.events, after.events);
  const isElsewhere = after.url !== before.url;
  return {
    ...(hasNewStatus || wantsOthers ? { periods: updatePeriods(before.periods, isOn ? after.events : [], now) } : {}),
    ...(hasNewStatus ? { disabledAt: isOn ? null : now, disabledReason: isOn ? null : 'person' } : {}),
    // Failures of another receiver, or before a repair, do not count.
    ...((hasNewStatus && isOn) || isElsewhere ? { failingSince: null, cooldownUntil: null } : {}),
  };
}
