import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/identity';
import { SendsModule } from '@domain/sends';
import { SuppressionsModule } from '@domain/suppressions';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { DueLeadRepository } from './due-lead.repository';
import { LeadActionsService } from './lead-actions.service';
import { LeadCampaignService } from './lead-campaign.service';
import { LeadEffectsListener } from './lead-effects.listener';
import { LeadEnrichmentService } from './lead-enrichment.service';
import { LeadInsertionService } from './lead-insertion.service';
import { LeadPauseService } from './lead-pause.service';
import { LeadPostponementRepository } from './lead-postponement.repository';
import { LeadStopService } from './lead-stop.service';
import { LeadRepository } from './lead.repository';
import { LeadsService } from './leads.service';
import { LeadRecord } from './schemas/lead.record';
import { UnverifiedLeadService } from './verification/unverified-lead.service';

const collections = DatabaseModule.collections(LeadRecord);
const offered = [
  LeadsService,
  LeadEnrichmentService,
  LeadActionsService,
  LeadInsertionService,
  LeadStopService,
  LeadPauseService,
  LeadCampaignService,
  DueLeadRepository,
  LeadPostponementRepository,
  LeadRepository,
  UnverifiedLeadService,
];

@Module({
  imports: [collections, WorkspacesModule, AuditModule, EventsModule, SuppressionsModule, SendsModule, CampaignsModule],
  providers: [...offered, LeadRepository, LeadActionsService, LeadPauseService, LeadEffectsListener],
  exports: [...offered, collections],
})
export class LeadsModule {}
