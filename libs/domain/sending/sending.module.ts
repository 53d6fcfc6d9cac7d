import { MailModule } from '@adapters/mail';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { InboxModule } from '@domain/inbox';
import { LeadsModule } from '@domain/leads';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { SuppressionsModule } from '@domain/suppressions';
import { TrackingModule } from '@domain/tracking';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { AsideAttempts } from './aside/aside.attempts.service';
import { AsideOutcomes } from './aside/aside.outcomes.service';
import { AsideTurns } from './aside/aside.turns.service';
import { CampaignDiagnostics } from './explain/campaign.diagnostics.service';
import { LeadCensuses } from './explain/lead.census.service';
import { LeadExplanations } from './explain/lead.explanation.service';
import { MailboxLooks } from './explain/mailbox.looks.service';
import { CampaignLaunch } from './launch/campaign.launch.service';
import { LaunchInspection } from './launch/launch.inspection.service';
import { LeadSamples } from './launch/lead.samples.service';
import { Budgets } from './quota/budgets.service';
import { Quotas } from './quota/quotas.service';
import { CounterRebuild } from './recount/counter.rebuild.service';
import { RecountSources } from './recount/recount.sources.service';
import { EmailRendering } from './render/email.rendering.service';
import { Resolutions } from './resolve/resolutions.service';
import { ReplyResolver } from './resolve/reply.resolver.service';
import { SendResolver } from './resolve/resolver.service';
import { SentSearch } from './resolve/sent.search.service';
import { SendQuotaRecord } from './schemas/send-quota.record';
import { SimulatedLeads } from './simulate/simulated.leads.service';
import { SimulationFactsReader } from './simulate/simulation.facts.service';
import { CampaignSimulation } from './simulate/simulation.service';
import { CampaignTestEmails } from './test-email/campaign.test-emails.service';
import { TestEmailInspection } from './test-email/test-email.inspection.service';
import { Aftermath } from './turn/aftermath.service';
import { CampaignCompletion } from './turn/campaign.completion.service';
import { Claims } from './turn/claim.service';
import { DeletedMailbox } from './turn/deleted.mailbox.service';
import { EngineWorlds } from './turn/engine.worlds.service';
import { ClaimGroups } from './turn/group/claim.groups.service';
import { SentGroups } from './turn/group/sent.groups.service';
import { TurnReads } from './turn/group/turn.reads.service';
import { WireGroups } from './turn/group/wire.groups.service';
import { Handovers } from './turn/handover.service';
import { LeadDesk } from './turn/lead.desk.service';
import { MessageHandovers } from './turn/message.handover.service';
import { Outcomes } from './turn/outcome.service';
import { PassingOver } from './turn/passing.over.service';
import { TurnRecovery } from './turn/recovery.service';
import { ReplyClaims } from './turn/reply/reply.claims.service';
import { ReplyHandovers } from './turn/reply/reply.handover.service';
import { ReplyOutcomes } from './turn/reply/reply.outcome.service';
import { ReplyTurns } from './turn/reply/reply.turns.service';
import { PostponedLeads } from './turn/postponed.leads.service';
import { Rotation } from './turn/rotation.service';
import { SentEmails } from './turn/sent.emails.service';
import { TurnParts } from './turn/turn.parts';
import { MailboxTurns } from './turn/turn.service';
import { WireGuard } from './turn/wire.guard.service';

const offered = [
  CampaignLaunch,
  CampaignSimulation,
  LeadExplanations,
  CampaignDiagnostics,
  CampaignTestEmails,
  MailboxTurns,
  SendResolver,
  Resolutions,
  CounterRebuild,
  AsideTurns,
];

@Module({
  imports: [
    DatabaseModule.collections(SendQuotaRecord),
    MailModule,
    EventsModule,
    MailboxesModule,
    SuppressionsModule,
    SendsModule,
    CampaignsModule,
    LeadsModule,
    TrackingModule,
    InboxModule,
  ],
  providers: [
    ...offered,
    TurnParts,
    TurnRecovery,
    EngineWorlds,
    Claims,
    Handovers,
    MessageHandovers,
    ReplyTurns,
    ReplyClaims,
    ReplyHandovers,
    ReplyOutcomes,
    ReplyResolver,
    SentSearch,
    WireGuard,
    ClaimGroups,
    TurnReads,
    WireGroups,
    SentGroups,
    LeadDesk,
    PostponedLeads,
    Rotation,
    Outcomes,
    SentEmails,
    Aftermath,
    PassingOver,
    DeletedMailbox,
    CampaignCompletion,
    Quotas,
    Budgets,
    RecountSources,
    EmailRendering,
    LaunchInspection,
    SimulationFactsReader,
    SimulatedLeads,
    MailboxLooks,
    LeadCensuses,
    LeadSamples,
    TestEmailInspection,
    AsideAttempts,
    AsideOutcomes,
  ],
  exports: offered,
})
export class SendingModule {}
