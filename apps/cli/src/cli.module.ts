import { Module } from '@nestjs/common';
import { CrmModule } from '@adapters/crm';
import { DnsModule } from '@adapters/dns';
import { MailModule } from '@adapters/mail';
import { DomainsModule } from '@domain/assembly';
import { migrations } from '@domain/migrations';
import { ClockModule } from '@platform/clock';
import { ConfigModule } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { IdempotencyModule } from '@platform/idempotency';
import { MigrationsModule } from '@platform/migrations';
import { HooksModule } from '@platform/hooks';
import { QueuesModule } from '@platform/queues';
import { SecretsModule } from '@platform/secrets';
import { observability } from './observability';

@Module({
  imports: [
    ConfigModule,
    ClockModule,
    observability('cli'),
    HooksModule.complete(),
    SecretsModule,
    DatabaseModule.forRoot('outreach-cli'),
    MigrationsModule.required(migrations),
    QueuesModule,
    IdempotencyModule,
    CrmModule,
    DnsModule,
    MailModule,
    DomainsModule,
  ],
})
export class CliModule {}
