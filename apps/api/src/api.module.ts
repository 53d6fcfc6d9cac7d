import { Module } from '@nestjs/common';
import { ApiKeysModule } from '@domain/api-keys';
import { AuditModule } from '@domain/audit';
import { CreditsModule } from '@domain/credits';
import { WorkspacesModule } from '@domain/workspaces';
import { ClockModule } from '@platform/clock';
import { ConfigModule, VERSION } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { ObservabilityModule } from '@platform/observability';
import { QueuesModule } from '@platform/queues';
import { SecretsModule } from '@platform/secrets';
import { controllers } from './controllers';
import { HttpModule } from './http';

@Module({
  imports: [
    ConfigModule,
    ClockModule,
    ObservabilityModule.forRoot('api', VERSION),
    SecretsModule,
    DatabaseModule.forRoot('outreach-api'),
    QueuesModule,
    HttpModule,
    WorkspacesModule,
    ApiKeysModule,
    CreditsModule,
    AuditModule,
  ],
  controllers: [...controllers],
})
export class ApiModule {}
