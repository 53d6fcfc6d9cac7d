import { Module } from '@nestjs/common';
import { CrmModule } from '@adapters/crm';
import { DnsModule } from '@adapters/dns';
import { MailModule } from '@adapters/mail';
import { DomainsModule } from '@domain/assembly';
import { migrations } from '@domain/migrations';
import { ClockModule } from '@platform/clock';
import { ConfigModule, VERSION } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { ClusterModule } from '@platform/cluster';
import { MigrationsModule } from '@platform/migrations';
import { ObservabilityModule } from '@platform/observability';
import { HooksModule } from '@platform/hooks';
import { QueuesModule } from '@platform/queues';
import { SecretsModule } from '@platform/secrets';
import { controllers } from './controllers';
import { HttpModule } from './http';

@Module({
  imports: [
    ConfigModule,
    ClockModule,
    ObservabilityModule.forRoot('api', VERSION),
    HooksModule.complete(),
    SecretsModule,
    DatabaseModule.forRoot('outreach-api'),
    MigrationsModule.required(migrations),
    ClusterModule,
    QueuesModule,
    MailModule,
    CrmModule,
    DnsModule,
    HttpModule,
    DomainsModule,
  ],
  controllers: [...controllers],
})
export class ApiModule {}
