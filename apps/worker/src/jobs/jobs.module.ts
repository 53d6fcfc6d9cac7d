import { Module } from '@nestjs/common';
import { MaintenanceModule } from '@platform/maintenance';
import { HeldStart } from './held.start';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { InstallationMetrics } from './installation.metrics';
import { JobRunner } from './job.runner';
import { QueueMetrics } from './queue.metrics';
import { Ticker } from './ticker';

/** What every job crosses. */
@Module({
  imports: [MailboxesModule, SendsModule, MaintenanceModule],
  providers: [JobRunner, QueueMetrics, InstallationMetrics, Ticker, HeldStart],
  exports: [JobRunner, Ticker, HeldStart],
})
export class JobsModule {}
