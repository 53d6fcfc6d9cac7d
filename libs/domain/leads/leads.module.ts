import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { SendsModule } from '@domain/sends';
import { SuppressionsModule } from '@domain/suppressions';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { LeadRepository } from './lead.repository';
import { LeadCampaignService } from './lead-campaign.service';
import { LeadEffectsListener } from './lead-effects.listener';
import { LeadGroupsRepository } from './lead-groups.repository';
import { LeadInsertionService } from './lead-insertion.service';
import { LeadMailRepository } from './lead-mail.repository';
import { LeadPauseService } from './lead-pause.service';
import { LeadPostponementRepository } from './lead-postponement.repository';
import { LeadRecountRepository } from './lead-recount.repository';
import { LeadRemovalService } from './lead-removal.service';
import { LeadResumptionService } from './lead-resumption.service';
import { LeadSelectionService } from './lead-selection.service';
import { LeadStopService } from './lead-stop.service';
import { LeadWalkRepository } from './lead-walk.repository';
import { DueLeadRepository } from './due-lead.repository';
import { LeadActionsService } from './lead-actions.service';
import { LeadCreationService } from './lead-creation.service';
import { LeadDoubtsService } from './lead-doubts.service';
import { LeadExportService } from './lead-export.service';
import { LeadFillingService } from './lead-filling.service';
import { LeadsService } from './leads.service';
import { LeadUpdateService } from './lead-update.service';
import { LeadRecord } from './schemas/lead.record';
import { UnverifiedLeadService } from './verification/unverified-lead.service';
import { LeadVerifierRegistry } from './verification/lead-verifier.registry';

const collections = DatabaseModule.collections(LeadRecord);
const offered = [
  LeadsService,
  LeadCreationService,
  LeadUpdateService,
  LeadFillingService,
  LeadExportService,
  LeadActionsService,
  LeadInsertionService,
  LeadStopService,
  LeadResumptionService,
  LeadCampaignService,
  DueLeadRepository,
  LeadPostponementRepository,
  LeadGroupsRepository,
  LeadRecountRepository,
  LeadMailRepository,
  LeadRepository,
  UnverifiedLeadService,
  LeadVerifierRegistry,
  LeadDoubtsService,
];

@Module({
  imports: [collections, WorkspacesModule, AuditModule, EventsModule, SuppressionsModule, SendsModule, CampaignsModule],
  providers: [
    ...offered,
    LeadWalkRepository,
    LeadSelectionService,
    LeadPauseService,
    LeadRemovalService,
    LeadEffectsListener,
  ],
  exports: [...offered, collections],
})
export class LeadsModule {}
