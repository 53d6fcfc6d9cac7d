import { EVENT_DATA, type EventRecord } from '..';
import { getViolations } from './schema-check';

/** What of recorded events is not as the schemas of their types say, each named once for all events like it. */
export function eventViolations(events: readonly Pick<EventRecord, 'type' | 'data'>[]): string[] {
  const found = events.flatMap(({ type, data }) =>
    type in EVENT_DATA
      ? getViolations(EVENT_DATA[type].schema, data).map((what) => `${type}: ${what}`)
      : [`${type} is no type of event`],
  );
  return [...new Set(found)];
}
