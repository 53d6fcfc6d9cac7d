import { EnrichmentToolModule } from '@adapters/enrichment';
import { AuditModule } from '@domain/audit';
import { WorkspacesModule } from '@domain/identity';
import { LeadsModule } from '@domain/leads';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { OutboundModule } from '@platform/outbound';
import { EnrichmentModule } from '../enrichment.module';
import { CallbackTokenService } from './callback/callback-token.service';
import { EnrichmentCallbackService } from './callback/enrichment-callback.service';
import { EnrichmentRowPushService } from './push/enrichment-row-push.service';
import { PersonEnrichmentService } from './push/person-enrichment.service';
import { EnrichmentToolRecord } from './schemas/enrichment-tool.record';
import { EnrichmentToolSecretListener } from './settings/enrichment-tool-secret.listener';
import { EnrichmentToolsService } from './settings/enrichment-tools.service';

const offered = [EnrichmentToolsService, EnrichmentCallbackService];

/** Enrichment of people by a tool of the workspace. */
@Module({
  imports: [
    DatabaseModule.collections(EnrichmentToolRecord),
    EnrichmentModule,
    EnrichmentToolModule,
    LeadsModule,
    WorkspacesModule,
    AuditModule,
    OutboundModule,
  ],
  providers: [
    ...offered,
    CallbackTokenService,
    EnrichmentCallbackService,
    PersonEnrichmentService,
    EnrichmentRowPushService,
    EnrichmentToolSecretListener,
    EnrichmentToolsService,
  ],
  exports: offered,
})
export class PersonEnrichmentModule {}
