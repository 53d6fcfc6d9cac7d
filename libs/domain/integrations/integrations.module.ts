import { ChatDomainModule } from '@domain/chat';
import { CrmDomainModule } from '@domain/crm';
import { PersonEnrichmentModule } from '@domain/enrichment';
import { Module } from '@nestjs/common';
import { IntegrationsService } from './integrations.service';

/** The overview of all connections of a workspace: CRMs, chat, the enrichment tool. */
@Module({
  imports: [ChatDomainModule, CrmDomainModule, PersonEnrichmentModule],
  providers: [IntegrationsService],
  exports: [IntegrationsService, ChatDomainModule, CrmDomainModule],
})
export class IntegrationsModule {}
