import { EVENT_DATA, type EventRecord } from '..';
import { getViolations } from './schema-check';

/** Violations of the schemas of their types by recorded events, each listed once. */
export function getEventViolations(events: readonly Pick<EventRecord, 'type' | 'data'>[]): string[] {
  const found = events.flatMap(({ type, data }) =>
    type in EVENT_DATA
      ? getViolations(EVENT_DATA[type].schema, data).map((what) => `${type}: ${what}`)
      : [`${type} is not an event type`],
  );
  return [...new Set(found)];
}
