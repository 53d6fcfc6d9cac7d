import { DnsModule } from '@adapters/dns';
import { ProbeModule } from '@adapters/probe';
import { CampaignsModule } from '@domain/campaigns';
import { CreditsModule } from '@domain/credits';
import { LeadsModule } from '@domain/leads';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { OutboundModule } from '@platform/outbound';
import { EnrichmentModule } from '../enrichment.module';
import { MailDomainsService } from './domain/mail-domains.service';
import { LeadVerificationService } from './leads/lead-verification.service';
import { LeadVerificationCreditsService } from './leads/lead-verification-credits.service';
import { LeadVerificationQueue } from './leads/lead-verification.queue';
import { LeadVerificationSweepService } from './leads/lead-verification-sweep.service';
import { LeadVerificationTurnsService } from './leads/lead-verification-turns.service';
import { SingleVerificationService } from './single-verification.service';
import { VerificationItemHandler } from './verification-item-handler';
import { EmailVerificationService } from './email-verification.service';

const offered = [
  EmailVerificationService,
  SingleVerificationService,
  LeadVerificationSweepService,
  LeadVerificationTurnsService,
];

/** Finds out whether there is a mailbox behind an address: one at a time, and as the work of jobs. */
@Module({
  imports: [
    DnsModule,
    ProbeModule,
    OutboundModule,
    CreditsModule,
    CampaignsModule,
    LeadsModule,
    WorkspacesModule,
    EnrichmentModule,
  ],
  providers: [
    ...offered,
    MailDomainsService,
    VerificationItemHandler,
    LeadVerificationService,
    LeadVerificationCreditsService,
    LeadVerificationQueue,
  ],
  exports: offered,
})
export class EmailVerificationModule {}
