import { Module } from '@nestjs/common';
import { MaintenanceModule } from '@platform/maintenance';
import { MaintenanceGateService } from './maintenance-gate.service';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { InstallationMetricsService } from './installation-metrics.service';
import { JobRunnerService } from './job-runner.service';
import { QueueMetricsService } from './queue-metrics.service';
import { TickerService } from './ticker.service';

/** The infrastructure of every job. */
@Module({
  imports: [MailboxesModule, SendsModule, MaintenanceModule],
  providers: [JobRunnerService, QueueMetricsService, InstallationMetricsService, TickerService, MaintenanceGateService],
  exports: [JobRunnerService, TickerService, MaintenanceGateService],
})
export class JobsModule {}
