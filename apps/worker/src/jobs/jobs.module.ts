import { Module } from '@nestjs/common';
import { MaintenanceModule } from '@platform/maintenance';
import { MaintenanceGateService } from './maintenance-gate.service';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { InstallationMetricsListener } from './installation-metrics.listener';
import { JobRunnerService } from './job-runner.service';
import { QueueMetricsListener } from './queue-metrics.listener';
import { TickerService } from './ticker.service';

/** The infrastructure of every job. */
@Module({
  imports: [MailboxesModule, SendsModule, MaintenanceModule],
  providers: [
    JobRunnerService,
    QueueMetricsListener,
    InstallationMetricsListener,
    TickerService,
    MaintenanceGateService,
  ],
  exports: [JobRunnerService, TickerService, MaintenanceGateService],
})
export class JobsModule {}
