import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { EventCounts } from './event.counts.service';
import { EventHistory } from './event.history.service';
import { EventLog } from './event.log.service';
import { EventsService } from './events.service';
import { EventFollower } from './relay/event.follower.service';
import { EventRelay } from './relay/event.relay.service';
import { EventSubscribers } from './relay/event.subscribers';
import { EventRecord } from './schemas/event.record';

const offered = [EventsService, EventCounts, EventLog, EventHistory, EventSubscribers, EventRelay, EventFollower];

@Module({
  imports: [DatabaseModule.collections(EventRecord)],
  providers: offered,
  exports: offered,
})
export class EventsModule {}
