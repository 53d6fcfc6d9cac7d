import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { EventsService } from './events.service';
import { EventRelayService } from './relay/event-relay.service';
import { EventSubscriberRegistry } from './relay/event-subscriber.registry';
import { EventRecord } from './schemas/event.record';

const offered = [EventsService, EventSubscriberRegistry, EventRelayService];

@Module({
  imports: [DatabaseModule.collections(EventRecord)],
  providers: offered,
  exports: offered,
})
export class EventsModule {}
