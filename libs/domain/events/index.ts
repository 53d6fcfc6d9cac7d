export { EVENT_DATA, type EventData } from './payloads/event-data';
export {
  type DataOf,
  type Fields,
  type JsonSchema,
  type ObjectShape,
  choice,
  id,
  instant,
  nullable,
  object,
  text,
} from './payloads/shape';
export { EventQuery, EventResponse } from './dto/event.dto';
export {
  type EventCount,
  EventsService,
  type NewEvent,
  QUARTER_MS,
  type QuarterCount,
  type Span,
} from './events.service';
export { EVENT_TYPES, type EventSubject, type EventType } from './event-types';
export { EventsModule } from './events.module';
export { EventRelayService } from './relay/event-relay.service';
export { EVENT_SUBSCRIBERS, type EventSubscriber, EventSubscriberRegistry } from './relay/event-subscriber.registry';
export { EventRecord } from './schemas/event.record';
export { EVENTS_PERSONAL_DATA } from './event-personal-data';
