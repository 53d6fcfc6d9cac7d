import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { EventsService } from './events.service';
import { EventRecord } from './schemas/event.record';

@Module({
  imports: [DatabaseModule.collections(EventRecord)],
  providers: [EventsService],
  exports: [EventsService],
})
export class EventsModule {}
