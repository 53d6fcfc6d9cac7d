export { EVENT_DATA, type EventData } from './data/event.data';
export {
  type DataOf,
  type Fields,
  id,
  instant,
  type JsonSchema,
  nullable,
  object,
  type ObjectShape,
  oneOf,
  text,
} from './data/shape';
export { EventQuery, EventResponse } from './dto/event.dto';
export { type EventCount, EventCounts, QUARTER_MS, type QuarterCount, type Span } from './event.counts.service';
export { EventHistory } from './event.history.service';
export { EventLog } from './event.log.service';
export { EVENT_TYPES, type EventSubject, type EventType } from './event.types';
export { EventsModule } from './events.module';
export { EventsService, type NewEvent } from './events.service';
export { EventFollower } from './relay/event.follower.service';
export { EventRelay } from './relay/event.relay.service';
export { type EventSubscriber, EventSubscribers } from './relay/event.subscribers';
export { EventRecord } from './schemas/event.record';
