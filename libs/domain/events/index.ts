export { EventQuery, EventResponse } from './dto/event.dto';
export { type EventCount, EventCounts, QUARTER_MS, type QuarterCount, type Span } from './event.counts.service';
export { EventLog } from './event.log.service';
export { type EventSubject, type EventType } from './event.types';
export { EventsModule } from './events.module';
export { EventsService, type NewEvent } from './events.service';
export { EventRelay } from './relay/event.relay.service';
export { type EventSubscriber, EventSubscribers } from './relay/event.subscribers';
export { EventRecord } from './schemas/event.record';
