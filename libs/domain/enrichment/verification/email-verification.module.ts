import { DnsModule } from '@adapters/dns';
import { ProbeModule } from '@adapters/probe';
import { CampaignsModule } from '@domain/campaigns';
import { CreditsModule } from '@domain/credits';
import { WorkspacesModule } from '@domain/identity';
import { LeadsModule } from '@domain/leads';
import { Module } from '@nestjs/common';
import { OutboundModule } from '@platform/outbound';
import { EnrichmentModule } from '../enrichment.module';
import { MailDomainsService } from './domain/mail-domains.service';
import { EmailVerificationService } from './email-verification.service';
import { LeadVerificationJobService } from './leads/lead-verification-job.service';
import { LeadVerificationQueue } from './leads/lead-verification.queue';
import { VerificationItemsService } from './verification-items.service';

const offered = [EmailVerificationService, LeadVerificationJobService];

/** Verification of email addresses: single ones, those of jobs, and those of leads. */
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
  providers: [...offered, MailDomainsService, VerificationItemsService, LeadVerificationQueue],
  exports: offered,
})
export class EmailVerificationModule {}
