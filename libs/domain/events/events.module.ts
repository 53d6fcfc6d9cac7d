import { Module } from '@nestjs/common';
import { ClusterModule } from '@platform/cluster';
import { DatabaseModule } from '@platform/database';
import { EventsService } from './events.service';
import { EventBatchService } from './relay/event-batch.service';
import { EventOutboxRepository } from './relay/event-outbox.repository';
import { EventRelayService } from './relay/event-relay.service';
import { EventSubscriberRegistry } from './relay/event-subscriber.registry';
import { DeferredEventRecord } from './schemas/deferred-event.record';
import { EventOutboxRecord } from './schemas/event-outbox.record';
import { EventRecord } from './schemas/event.record';

const offered = [EventsService, EventSubscriberRegistry, EventRelayService];

@Module({
  imports: [ClusterModule, DatabaseModule.collections(EventRecord, EventOutboxRecord, DeferredEventRecord)],
  providers: [...offered, EventBatchService, EventOutboxRepository],
  exports: offered,
})
export class EventsModule {}
