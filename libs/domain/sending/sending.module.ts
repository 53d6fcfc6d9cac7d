import { MailModule } from '@adapters/mail';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { LeadsModule } from '@domain/leads';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { SuppressionsModule } from '@domain/suppressions';
import { TrackingModule } from '@domain/tracking';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { CampaignLaunch } from './launch/campaign.launch.service';
import { LaunchInspection } from './launch/launch.inspection.service';
import { LeadSamples } from './launch/lead.samples.service';
import { Quotas } from './quota/quotas.service';
import { EmailRendering } from './render/email.rendering.service';
import { Resolutions } from './resolve/resolutions.service';
import { SendResolver } from './resolve/resolver.service';
import { SendQuotaRecord } from './schemas/send-quota.record';
import { CampaignTestEmails } from './test-email/campaign.test-emails.service';
import { TestEmailInspection } from './test-email/test-email.inspection.service';
import { Aftermath } from './turn/aftermath.service';
import { CampaignCompletion } from './turn/campaign.completion.service';
import { Claims } from './turn/claim.service';
import { EngineWorlds } from './turn/engine.worlds.service';
import { Handovers } from './turn/handover.service';
import { Outcomes } from './turn/outcome.service';
import { PassingOver } from './turn/passing.over.service';
import { TurnRecovery } from './turn/recovery.service';
import { SentEmails } from './turn/sent.emails.service';
import { TurnParts } from './turn/turn.parts';
import { MailboxTurns } from './turn/turn.service';
import { WireGuard } from './turn/wire.guard.service';

const offered = [CampaignLaunch, CampaignTestEmails, MailboxTurns, SendResolver, Resolutions];

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
  ],
  providers: [
    ...offered,
    TurnParts,
    TurnRecovery,
    EngineWorlds,
    Claims,
    Handovers,
    WireGuard,
    Outcomes,
    SentEmails,
    Aftermath,
    PassingOver,
    CampaignCompletion,
    Quotas,
    EmailRendering,
    LaunchInspection,
    LeadSamples,
    TestEmailInspection,
  ],
  exports: offered,
})
export class SendingModule {}
