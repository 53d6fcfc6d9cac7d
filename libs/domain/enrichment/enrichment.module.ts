import { AuditModule } from '@domain/audit';
import { CreditsModule } from '@domain/credits';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/identity';
import { LeadsModule } from '@domain/leads';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { EnrichmentJobCreationService } from './jobs/enrichment-job-creation.service';
import { EnrichmentJobEndService } from './jobs/enrichment-job-end.service';
import { EnrichmentJobsService } from './jobs/enrichment-jobs.service';
import { EnrichmentResultRepository } from './jobs/enrichment-result.repository';
import { EnrichmentItemRepository } from './runs/enrichment-item.repository';
import { EnrichmentItemsService } from './runs/enrichment-items.service';
import { EnrichmentWorkPartitionService } from './runs/enrichment-work-partition.service';
import { EnrichmentWorkQueue } from './runs/enrichment-work.queue';
import { EnrichmentWorkerService } from './runs/enrichment-worker.service';
import { EnrichmentItemRecord } from './schemas/enrichment-item.record';
import { EnrichmentJobRecord } from './schemas/enrichment-job.record';
import { EnrichmentWorkPartitionRecord } from './schemas/enrichment-work-partition.record';
import { StagedItemsRecord } from './schemas/staged-items.record';

const collections = DatabaseModule.collections(
  EnrichmentJobRecord,
  EnrichmentItemRecord,
  EnrichmentWorkPartitionRecord,
  StagedItemsRecord,
);
const offered = [
  EnrichmentJobsService,
  EnrichmentJobCreationService,
  EnrichmentItemsService,
  EnrichmentWorkerService,
  EnrichmentWorkPartitionService,
  EnrichmentJobEndService,
];

@Module({
  imports: [collections, AuditModule, CreditsModule, EventsModule, LeadsModule, WorkspacesModule],
  providers: [
    ...offered,
    EnrichmentWorkerService,
    EnrichmentWorkQueue,
    EnrichmentItemRepository,
    EnrichmentJobEndService,
    EnrichmentJobCreationService,
    EnrichmentResultRepository,
  ],
  exports: [...offered, collections],
})
export class EnrichmentModule {}
