import { Module } from '@nestjs/common';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { InstallationMetrics } from './installation.metrics';
import { JobRunner } from './job.runner';
import { QueueMetrics } from './queue.metrics';
import { Ticker } from './ticker';

/** What every job crosses. */
@Module({
  imports: [MailboxesModule, SendsModule],
  providers: [JobRunner, QueueMetrics, InstallationMetrics, Ticker],
  exports: [JobRunner, Ticker],
})
export class JobsModule {}
