import { EnrichmentToolModule } from '@adapters/enrichment';
import { AuditModule } from '@domain/audit';
import { LeadsModule } from '@domain/leads';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { OutboundModule } from '@platform/outbound';
import { EnrichmentModule } from '../enrichment.module';
import { CallbackTokens } from './callback/callback.tokens';
import { CallbackUrls } from './callback/callback.urls';
import { CalledItems } from './callback/called.items.service';
import { ToolCallbacks } from './callback/tool.callbacks.service';
import { PersonEnrichmentWork } from './hand-over/person-enrichment.work';
import { RowHandOver } from './hand-over/row.hand-over.service';
import { EnrichmentToolRecord } from './schemas/enrichment-tool.record';
import { EnrichmentToolsService } from './settings/enrichment-tools.service';
import { ToolSealed } from './settings/tool.sealed';
import { ToolSecrets } from './settings/tool.secrets.service';
import { ToolTables } from './settings/tool.tables.service';

const offered = [EnrichmentToolsService, ToolCallbacks];

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
    CallbackTokens,
    CallbackUrls,
    CalledItems,
    PersonEnrichmentWork,
    RowHandOver,
    ToolSealed,
    ToolSecrets,
    ToolTables,
  ],
  exports: offered,
})
export class PersonEnrichmentModule {}
