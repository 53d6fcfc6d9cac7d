import { EVENT_DATA, type EventData, type EventSubject, type EventType, type NewEvent } from '..';

/** The sample data of an event type, with the given fields replaced. */
export function sampleData<T extends EventType>(type: T, said: Partial<EventData<T>> = {}): EventData<T> {
  return { ...(EVENT_DATA[type].example as EventData<T>), ...said };
}

interface Said<T extends EventType> {
  about?: EventSubject;
  data?: Partial<EventData<T>>;
  at?: Date;
  /** For types with this field; default: false. */
  firstOfLead?: boolean;
}

/** A valid event to record. */
export function happening<T extends EventType>(type: T, dedupeKey: string, said: Said<T> = {}): NewEvent {
  const { about = {}, data, at, firstOfLead = false } = said;
  const first = 'firstOfLead' in EVENT_DATA[type].fields ? { firstOfLead } : {};
  const event = { type, dedupeKey, about, data: { ...sampleData(type), ...first, ...data } };
  return (at ? { ...event, at } : event) as unknown as NewEvent;
}
