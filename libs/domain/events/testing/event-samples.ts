import { EVENT_DATA, type EventData, type EventSubject, type EventType, type NewEvent } from '..';

/** Believable data of an event, with some of it said by the test. */
export function sampleData<T extends EventType>(type: T, said: Partial<EventData<T>> = {}): EventData<T> {
  return { ...(EVENT_DATA[type].example as EventData<T>), ...said };
}

interface Said<T extends EventType> {
  about?: EventSubject;
  data?: Partial<EventData<T>>;
  at?: Date;
  /** Of those that say so; default: it is not. */
  firstOfLead?: boolean;
}

/** An event to be recorded, as it happens. */
export function happening<T extends EventType>(type: T, dedupeKey: string, said: Said<T> = {}): NewEvent {
  const { about = {}, data, at, firstOfLead = false } = said;
  const first = 'firstOfLead' in EVENT_DATA[type].fields ? { firstOfLead } : {};
  const event = { type, dedupeKey, about, data: { ...sampleData(type), ...first, ...data } };
  return (at ? { ...event, at } : event) as unknown as NewEvent;
}
