import { type DynamicModule, Module } from '@nestjs/common';
import { CrmModule } from '@adapters/crm';
import { DnsModule } from '@adapters/dns';
import { MailModule } from '@adapters/mail';
import { DomainsModule } from '@domain/assembly';
import { migrations } from '@domain/migrations';
import { ClockModule } from '@platform/clock';
import { ConfigModule, VERSION } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { MigrationsModule } from '@platform/migrations';
import { ObservabilityModule } from '@platform/observability';
import { HooksModule } from '@platform/hooks';
import { QueuesModule } from '@platform/queues';
import { SecretsModule } from '@platform/secrets';
import { JobsModule } from './jobs';
import { selectProcessors } from './processors';
import { QueueViewService } from './queue-view/queue-view.service';

@Module({
  imports: [
    ConfigModule,
    ClockModule,
    ObservabilityModule.forRoot('worker', VERSION),
    HooksModule.complete(),
    SecretsModule,
    DatabaseModule.forRoot('outreach-worker'),
    MigrationsModule.required(migrations),
    QueuesModule,
    MailModule,
    CrmModule,
    DnsModule,
    JobsModule,
    DomainsModule,
  ],
  providers: [QueueViewService],
})
export class WorkerModule {
  /**
   * @param queues names of the queues that the worker consumes (`WORKER_QUEUES`); none for all
   * @throws BootError when one of them is unknown
   */
  static forQueues(queues: readonly string[]): DynamicModule {
    return { module: WorkerModule, providers: selectProcessors(queues) };
  }
}
