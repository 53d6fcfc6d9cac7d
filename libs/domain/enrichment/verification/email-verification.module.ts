import { DnsModule } from '@adapters/dns';
import { ProbeModule } from '@adapters/probe';
import { CreditsModule } from '@domain/credits';
import { Module } from '@nestjs/common';
import { OutboundModule } from '@platform/outbound';
import { EnrichmentModule } from '../enrichment.module';
import { MailDomains } from './domain/mail.domains.service';
import { SingleVerification } from './single.verification.service';
import { VerificationWork } from './verification.work';
import { EmailVerifier } from './verifier.service';

const offered = [EmailVerifier, SingleVerification];

/** Finds out whether there is a mailbox behind an address: one at a time, and as the work of jobs. */
@Module({
  imports: [DnsModule, ProbeModule, OutboundModule, CreditsModule, EnrichmentModule],
  providers: [...offered, MailDomains, VerificationWork],
  exports: offered,
})
export class EmailVerificationModule {}
