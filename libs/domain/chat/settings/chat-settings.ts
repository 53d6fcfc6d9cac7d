import { type ErrorDetail } from '@platform/errors';
import { type SetSlackRequest } from '../dto/chat-requests.dto';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';

export type ChatSettings = Pick<
  ChatConnectionRecord,
  'enabled' | 'events' | 'mode' | 'everyMinutes' | 'timeOfDay' | 'timezone'
>;

const DEFAULT_MINUTES = 60;

/** Returns the requested settings, without those that need a lookup. Pure. */
export function toSettings(input: SetSlackRequest): ChatSettings {
  const { enabled, events, mode, everyMinutes, timeOfDay, timezone } = input;
  const isDigest = mode === 'digest';
  return {
    enabled,
    events,
    mode,
    everyMinutes: isDigest && timeOfDay === undefined ? (everyMinutes ?? DEFAULT_MINUTES) : null,
    timeOfDay: (isDigest && timeOfDay) || null,
    timezone,
  };
}

/** Returns the contradictions of a request, one for each field. Pure. */
export function findFaults(
  input: SetSlackRequest,
  before: Pick<ChatConnectionRecord, 'authMethod'> | null,
): ErrorDetail[] {
  const { webhookUrl, channelId, teamName, mode, everyMinutes, timeOfDay } = input;
  const authMethod = webhookUrl === undefined ? before?.authMethod : 'webhook';
  const faults: (readonly [string, string | null])[] = [
    ['webhookUrl', authMethod === undefined ? 'is missing: nothing is connected yet, by consent either' : null],
    [
      'channelId',
      authMethod === 'webhook' && channelId !== undefined ? 'cannot be chosen: a webhook stands for its channel' : null,
    ],
    [
      'teamName',
      authMethod === 'consent' && teamName !== undefined ? 'cannot be set: Slack reports it after a consent' : null,
    ],
    ['everyMinutes', everyMinutes === undefined ? null : getScheduleFault(mode === 'digest', timeOfDay !== undefined)],
    ['timeOfDay', timeOfDay === undefined || mode === 'digest' ? null : ONLY_DIGESTS],
  ];
  return faults.flatMap(([field, fault]) => (fault === null ? [] : [{ field, message: `${field} ${fault}` }]));
}

const ONLY_DIGESTS = 'is only for digests';

function getScheduleFault(isDigest: boolean, hasTime: boolean): string | null {
  if (!isDigest) return ONLY_DIGESTS;
  return hasTime ? 'cannot be set together with timeOfDay' : null;
}
