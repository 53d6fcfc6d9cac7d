import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { LeadsModule } from '../leads.module';
import { ImportChunksRepository } from './import-chunks.repository';
import { ImportDoubtsRepository } from './import-doubts.repository';
import { LeadImportErasureListener } from './lead-import-erasure.listener';
import { ImportProgressService } from './import-progress.service';
import { ImportRefusalsService } from './import-refusals.service';
import { LeadImportRepository } from './lead-import.repository';
import { LeadImportQueue } from './lead-import.queue';
import { LeadImportJobService } from './lead-import-job.service';
import { LeadImportUploadService } from './lead-import-upload.service';
import { LeadImportsService } from './lead-imports.service';
import { LeadImportChunkRecord } from './schemas/lead-import-chunk.record';
import { LeadImportRefusalRecord } from './schemas/lead-import-refusal.record';
import { LeadImportRecord } from './schemas/lead-import.record';

const offered = [LeadImportUploadService, LeadImportsService, LeadImportJobService, ImportDoubtsRepository];

@Module({
  imports: [
    DatabaseModule.collections(LeadImportRecord, LeadImportChunkRecord, LeadImportRefusalRecord),
    AuditModule,
    CampaignsModule,
    LeadsModule,
    WorkspacesModule,
  ],
  providers: [
    ...offered,
    ImportChunksRepository,
    LeadImportErasureListener,
    ImportProgressService,
    ImportRefusalsService,
    LeadImportRepository,
    LeadImportQueue,
  ],
  exports: offered,
})
export class LeadImportsModule {}
