import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { SendsModule } from '@domain/sends';
import { SuppressionsModule } from '@domain/suppressions';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { LeadAddresses } from './lead.addresses.service';
import { LeadCampaigns } from './lead.campaigns.service';
import { LeadEffects } from './lead.effects.service';
import { LeadGroups } from './lead.groups.service';
import { LeadInsertion } from './lead.insertion.service';
import { LeadMail } from './lead.mail.service';
import { LeadPausing } from './lead.pausing.service';
import { LeadPostponements } from './lead.postponements.service';
import { LeadRecount } from './lead.recount.service';
import { LeadRemoval } from './lead.removal.service';
import { LeadResumption } from './lead.resumption.service';
import { LeadSelection } from './lead.selection.service';
import { LeadStops } from './lead.stops.service';
import { LeadWalk } from './lead.walk.service';
import { DueLeads } from './leads.due.service';
import { LeadActions } from './leads.actions.service';
import { LeadCreation } from './leads.creation.service';
import { LeadDoubts } from './lead.doubts.service';
import { LeadExport } from './leads.export.service';
import { LeadFilling } from './leads.filling.service';
import { LeadsService } from './leads.service';
import { LeadUpdate } from './leads.update.service';
import { LeadRecord } from './schemas/lead.record';
import { HeldLeads } from './verification/held.leads.service';
import { LeadVerifiers } from './verification/lead.verifiers';

const collections = DatabaseModule.collections(LeadRecord);
const offered = [
  LeadsService,
  LeadCreation,
  LeadUpdate,
  LeadFilling,
  LeadExport,
  LeadActions,
  LeadInsertion,
  LeadStops,
  LeadResumption,
  LeadCampaigns,
  DueLeads,
  LeadPostponements,
  LeadGroups,
  LeadRecount,
  LeadMail,
  LeadAddresses,
  HeldLeads,
  LeadVerifiers,
  LeadDoubts,
];

@Module({
  imports: [collections, WorkspacesModule, AuditModule, EventsModule, SuppressionsModule, SendsModule, CampaignsModule],
  providers: [...offered, LeadWalk, LeadSelection, LeadPausing, LeadRemoval, LeadEffects],
  exports: [...offered, collections],
})
export class LeadsModule {}
