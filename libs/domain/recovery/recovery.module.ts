import { AgentsModule } from '@domain/agents';
import { CampaignsModule } from '@domain/campaigns';
import { InboxModule } from '@domain/inbox';
import { CrmAutomationModule } from '@domain/integrations';
import { LeadImportsModule, LeadsModule } from '@domain/leads';
import { SendsModule } from '@domain/sends';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { MaintenanceModule } from '@platform/maintenance';
import { Release } from './release.service';
import { RestoredArrivals } from './restored.arrivals.service';
import { RestoredInstallation } from './restored.installation.service';

@Module({
  imports: [
    MaintenanceModule,
    WorkspacesModule,
    CampaignsModule,
    LeadsModule,
    LeadImportsModule,
    CrmAutomationModule,
    SendsModule,
    InboxModule,
    AgentsModule,
  ],
  providers: [Release, RestoredInstallation, RestoredArrivals],
  exports: [Release],
})
export class RecoveryModule {}
