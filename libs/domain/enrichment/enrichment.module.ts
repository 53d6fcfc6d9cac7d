import { AuditModule } from '@domain/audit';
import { CreditsModule } from '@domain/credits';
import { EventsModule } from '@domain/events';
import { LeadsModule } from '@domain/leads';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { EnrichmentJobsService } from './jobs/enrichment-jobs.service';
import { EnrichmentResultsService } from './jobs/enrichment-results.service';
import { JobAddressesRepository } from './runs/job-addresses.repository';
import { EnrichmentJobCreationService } from './jobs/enrichment-job-creation.service';
import { EnrichmentJobEndService } from './jobs/enrichment-job-end.service';
import { EnrichmentExpiryService } from './jobs/enrichment-expiry.service';
import { JobInsertionService } from './jobs/job-insertion.service';
import { EnrichmentResultRepository } from './jobs/enrichment-result.repository';
import { LooseItemsRepository } from './runs/loose-items.repository';
import { ChunkRunsService } from './runs/chunk-runs.service';
import { EnrichmentItemRepository } from './runs/enrichment-item.repository';
import { EnrichmentItemsService } from './runs/enrichment-items.service';
import { EnrichmentWorkerService } from './runs/enrichment-worker.service';
import { EnrichmentWorkQueue } from './runs/enrichment-work.queue';
import { EnrichmentWorkPartitionService } from './runs/enrichment-work-partition.service';
import { EnrichmentItemRecord } from './schemas/enrichment-item.record';
import { EnrichmentJobRecord } from './schemas/enrichment-job.record';
import { EnrichmentWorkPartitionRecord } from './schemas/enrichment-work-partition.record';
import { StagedItemsRecord } from './schemas/staged-items.record';
import { ItemHandlerRegistry } from './item-handlers/item-handler.registry';

const collections = DatabaseModule.collections(
  EnrichmentJobRecord,
  EnrichmentItemRecord,
  EnrichmentWorkPartitionRecord,
  StagedItemsRecord,
);
const offered = [
  ItemHandlerRegistry,
  EnrichmentJobsService,
  EnrichmentJobCreationService,
  EnrichmentResultsService,
  EnrichmentItemsService,
  EnrichmentWorkerService,
  EnrichmentWorkPartitionService,
  EnrichmentExpiryService,
];

@Module({
  imports: [collections, AuditModule, CreditsModule, EventsModule, LeadsModule, WorkspacesModule],
  providers: [
    ...offered,
    ChunkRunsService,
    EnrichmentWorkQueue,
    EnrichmentItemRepository,
    JobAddressesRepository,
    EnrichmentJobEndService,
    JobInsertionService,
    EnrichmentResultRepository,
    LooseItemsRepository,
  ],
  exports: [...offered, collections],
})
export class EnrichmentModule {}
