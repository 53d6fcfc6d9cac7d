import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { EventCounts } from './event.counts.service';
import { EventsService } from './events.service';
import { EventRecord } from './schemas/event.record';

@Module({
  imports: [DatabaseModule.collections(EventRecord)],
  providers: [EventsService, EventCounts],
  exports: [EventsService, EventCounts],
})
export class EventsModule {}
