import { AuditModule } from '@domain/audit';
import { CreditsModule } from '@domain/credits';
import { EventsModule } from '@domain/events';
import { LeadsModule } from '@domain/leads';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { EnrichmentJobs } from './jobs/enrichment.jobs.service';
import { EnrichmentResults } from './jobs/enrichment.results.service';
import { JobAddresses } from './jobs/job.addresses.service';
import { EnrichmentJobCreation } from './jobs/job.creation.service';
import { JobEnds } from './jobs/job.ends.service';
import { EnrichmentExpiry } from './jobs/job.expiry.service';
import { JobInsertion } from './jobs/job.insertion.service';
import { JobResults } from './jobs/job.results.service';
import { LooseItems } from './jobs/loose.items.service';
import { ChunkRuns } from './runs/chunk.runs.service';
import { ItemClaims } from './runs/item.claims.service';
import { EnrichmentItems } from './runs/item.outcomes.service';
import { EnrichmentTurns } from './runs/lane.turns.service';
import { EnrichmentLaneQueue } from './runs/lanes.queue';
import { EnrichmentLanes } from './runs/lanes.service';
import { EnrichmentItemRecord } from './schemas/enrichment-item.record';
import { EnrichmentJobRecord } from './schemas/enrichment-job.record';
import { EnrichmentLaneRecord } from './schemas/enrichment-lane.record';
import { LooseItemsRecord } from './schemas/loose-items.record';
import { ItemWorks } from './work/item.works';

const collections = DatabaseModule.collections(
  EnrichmentJobRecord,
  EnrichmentItemRecord,
  EnrichmentLaneRecord,
  LooseItemsRecord,
);
const offered = [
  ItemWorks,
  EnrichmentJobs,
  EnrichmentJobCreation,
  EnrichmentResults,
  EnrichmentItems,
  EnrichmentTurns,
  EnrichmentLanes,
  EnrichmentExpiry,
];

@Module({
  imports: [collections, AuditModule, CreditsModule, EventsModule, LeadsModule, WorkspacesModule],
  providers: [
    ...offered,
    ChunkRuns,
    EnrichmentLaneQueue,
    ItemClaims,
    JobAddresses,
    JobEnds,
    JobInsertion,
    JobResults,
    LooseItems,
  ],
  exports: [...offered, collections],
})
export class EnrichmentModule {}
