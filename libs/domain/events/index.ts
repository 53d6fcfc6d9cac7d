export { EVENT_DATA, type EventData } from './payloads/event-data';
export {
  type DataOf,
  type Fields,
  id,
  instant,
  type JsonSchema,
  nullable,
  object,
  type ObjectShape,
  getOne,
  text,
} from './payloads/shape';
export { EventQuery, EventResponse } from './dto/event.dto';
export { type EventCount, EventCountsService, QUARTER_MS, type QuarterCount, type Span } from './event-counts.service';
export { EventHistoryService } from './event-history.service';
export { EventLogService } from './event-log.service';
export { EVENT_TYPES, type EventSubject, type EventType } from './event-types';
export { EventsModule } from './events.module';
export { EventsService, type NewEvent } from './events.service';
export { EventFollowerService } from './relay/event-follower.service';
export { EventRelayService } from './relay/event-relay.service';
export { type EventSubscriber, EventSubscriberRegistry } from './relay/event-subscriber.registry';
export { EventRecord } from './schemas/event.record';
