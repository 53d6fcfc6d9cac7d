import { EnrichmentToolModule } from '@adapters/enrichment';
import { AuditModule } from '@domain/audit';
import { LeadsModule } from '@domain/leads';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { OutboundModule } from '@platform/outbound';
import { EnrichmentModule } from '../enrichment.module';
import { CallbackTokenService } from './callback/callback-token.service';
import { CallbackUrlService } from './callback/callback-url.service';
import { CalledItemsService } from './callback/called-items.service';
import { EnrichmentCallbackService } from './callback/enrichment-callback.service';
import { PersonEnrichmentItemHandler } from './push/person-enrichment-item-handler';
import { EnrichmentRowPushService } from './push/enrichment-row-push.service';
import { EnrichmentToolRecord } from './schemas/enrichment-tool.record';
import { EnrichmentToolsService } from './settings/enrichment-tools.service';
import { EnrichmentToolSecretListener } from './settings/enrichment-tool-secret.listener';
import { ToolSecretsService } from './settings/tool-secrets.service';
import { ToolTablesService } from './settings/tool-tables.service';

const offered = [EnrichmentToolsService, EnrichmentCallbackService];

/** What is found out about people by a tool of the workspace's own. */
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
    CallbackUrlService,
    CalledItemsService,
    PersonEnrichmentItemHandler,
    EnrichmentRowPushService,
    EnrichmentToolSecretListener,
    ToolSecretsService,
    ToolTablesService,
  ],
  exports: offered,
})
export class PersonEnrichmentModule {}
