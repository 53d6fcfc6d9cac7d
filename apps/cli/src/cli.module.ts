import { Module } from '@nestjs/common';
import { ApiKeysModule } from '@domain/api-keys';
import { AuditModule } from '@domain/audit';
import { CreditsModule } from '@domain/credits';
import { UsersModule } from '@domain/users';
import { WorkspacesModule } from '@domain/workspaces';
import { ClockModule } from '@platform/clock';
import { ConfigModule, VERSION } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { ObservabilityModule } from '@platform/observability';
import { QueuesModule } from '@platform/queues';
import { SecretsModule } from '@platform/secrets';

@Module({
  imports: [
    ConfigModule,
    ClockModule,
    ObservabilityModule.forRoot('cli', VERSION),
    SecretsModule,
    DatabaseModule.forRoot('outreach-cli'),
    QueuesModule,
    UsersModule,
    WorkspacesModule,
    ApiKeysModule,
    CreditsModule,
    AuditModule,
  ],
})
export class CliModule {}
