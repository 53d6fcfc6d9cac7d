import { AgentsModule } from '@domain/agents';
import { CampaignsModule } from '@domain/campaigns';
import { InboxModule } from '@domain/inbox';
import { CrmAutomationModule } from '@domain/crm';
import { LeadImportsModule, LeadsModule } from '@domain/leads';
import { SendsModule } from '@domain/sends';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { MaintenanceModule } from '@platform/maintenance';
import { RestoreReconcilerService } from './restore-reconciler.service';

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
  providers: [RestoreReconcilerService],
  exports: [RestoreReconcilerService],
})
export class RecoveryModule {}
