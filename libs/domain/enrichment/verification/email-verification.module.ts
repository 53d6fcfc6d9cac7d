import { DnsModule } from '@adapters/dns';
import { ProbeModule } from '@adapters/probe';
import { CampaignsModule } from '@domain/campaigns';
import { CreditsModule } from '@domain/credits';
import { LeadsModule } from '@domain/leads';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { OutboundModule } from '@platform/outbound';
import { EnrichmentModule } from '../enrichment.module';
import { MailDomains } from './domain/mail.domains.service';
import { LeadVerificationChunks } from './leads/lead-verification.chunks.service';
import { LeadVerificationCredits } from './leads/lead-verification.credits.service';
import { LeadVerificationQueue } from './leads/lead-verification.queue';
import { LeadVerificationRuns } from './leads/lead-verification.runs.service';
import { LeadVerificationTurns } from './leads/lead-verification.turns.service';
import { SingleVerification } from './single.verification.service';
import { VerificationWork } from './verification.work';
import { EmailVerifier } from './verifier.service';

const offered = [EmailVerifier, SingleVerification, LeadVerificationRuns, LeadVerificationTurns];

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
    MailDomains,
    VerificationWork,
    LeadVerificationChunks,
    LeadVerificationCredits,
    LeadVerificationQueue,
  ],
  exports: offered,
})
export class EmailVerificationModule {}
