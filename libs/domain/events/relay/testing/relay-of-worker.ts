import { ClusterMembershipService } from '@platform/cluster';
import { LeaseService } from '@platform/database';
import { LogService } from '@platform/observability';
import { type TestDatabase } from '@testing';
import { EventBatchService } from '../event-batch.service';
import { EventOutboxRepository } from '../event-outbox.repository';
import { EventRelayService } from '../event-relay.service';

/** The relay of another worker on the same database, for tests of several. */
export function createRelay({ module }: TestDatabase): EventRelayService {
  const get: typeof module.get = module.get.bind(module);
  return new EventRelayService(
    get(EventOutboxRepository),
    get(EventBatchService),
    get(LeaseService),
    get(ClusterMembershipService),
    get(LogService),
  );
}
