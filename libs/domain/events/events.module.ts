import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { EventCountsService } from './event-counts.service';
import { EventHistoryService } from './event-history.service';
import { EventLogService } from './event-log.service';
import { EventsService } from './events.service';
import { EventFollowerService } from './relay/event-follower.service';
import { EventRelayService } from './relay/event-relay.service';
import { EventSubscriberRegistry } from './relay/event-subscriber.registry';
import { EventRecord } from './schemas/event.record';

const offered = [
  EventsService,
  EventCountsService,
  EventLogService,
  EventHistoryService,
  EventSubscriberRegistry,
  EventRelayService,
  EventFollowerService,
];

@Module({
  imports: [DatabaseModule.collections(EventRecord)],
  providers: offered,
  exports: offered,
})
export class EventsModule {}
