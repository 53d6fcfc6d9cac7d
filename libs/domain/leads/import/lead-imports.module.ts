import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { LeadsModule } from '../leads.module';
import { ImportChunks } from './import.chunks.service';
import { ImportDoubts } from './import.doubts.service';
import { ImportErasure } from './import.erasure.service';
import { ImportProgress } from './import.progress.service';
import { ImportRefusals } from './import.refusals.service';
import { ImportStates } from './import.states.service';
import { LeadImportQueue } from './leads.import.queue';
import { LeadImports } from './leads.import.service';
import { LeadImportUpload } from './leads.import.upload.service';
import { LeadImportsService } from './leads.imports.service';
import { LeadImportChunkRecord } from './schemas/lead-import-chunk.record';
import { LeadImportRefusalRecord } from './schemas/lead-import-refusal.record';
import { LeadImportRecord } from './schemas/lead-import.record';

const offered = [LeadImportUpload, LeadImportsService, LeadImports, ImportDoubts];

@Module({
  imports: [
    DatabaseModule.collections(LeadImportRecord, LeadImportChunkRecord, LeadImportRefusalRecord),
    AuditModule,
    CampaignsModule,
    LeadsModule,
    WorkspacesModule,
  ],
  providers: [...offered, ImportChunks, ImportErasure, ImportProgress, ImportRefusals, ImportStates, LeadImportQueue],
  exports: offered,
})
export class LeadImportsModule {}
