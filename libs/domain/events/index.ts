export { type EventCount, EventCounts } from './event.counts.service';
export { type EventSubject, type EventType } from './event.types';
export { EventsModule } from './events.module';
export { EventsService, type NewEvent } from './events.service';
export { EventRecord } from './schemas/event.record';
