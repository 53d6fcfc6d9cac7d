import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { LeadsModule } from '../leads.module';
import { LeadImportErasureListener } from './lead-import-erasure.listener';
import { LeadImportJobRecordService } from './lead-import-job-record.service';
import { LeadImportJobService } from './lead-import-job.service';
import { LeadImportQueue } from './lead-import.queue';
import { LeadImportRepository } from './lead-import.repository';
import { LeadImportsService } from './lead-imports.service';
import { LeadImportChunkRecord } from './schemas/lead-import-chunk.record';
import { LeadImportRefusalRecord } from './schemas/lead-import-refusal.record';
import { LeadImportRecord } from './schemas/lead-import.record';

const offered = [LeadImportsService, LeadImportJobService, LeadImportRepository];

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
    LeadImportRepository,
    LeadImportErasureListener,
    LeadImportJobRecordService,
    LeadImportJobService,
    LeadImportsService,
    LeadImportQueue,
  ],
  exports: offered,
})
export class LeadImportsModule {}
