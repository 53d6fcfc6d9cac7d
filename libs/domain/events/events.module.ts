import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { EventCounts } from './event.counts.service';
import { EventLog } from './event.log.service';
import { EventsService } from './events.service';
import { EventRelay } from './relay/event.relay.service';
import { EventSubscribers } from './relay/event.subscribers';
import { EventRecord } from './schemas/event.record';

const offered = [EventsService, EventCounts, EventLog, EventSubscribers, EventRelay];

@Module({
  imports: [DatabaseModule.collections(EventRecord)],
  providers: offered,
  exports: offered,
})
export class EventsModule {}
