import { Module } from '@nestjs/common';
import { MaintenanceModule } from '@platform/maintenance';
import { MaintenanceGateService } from './maintenance-gate.service';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { InstallationMetricsListener } from './installation-metrics.listener';
import { JobDecoratorService } from './job-decorator.service';
import { JobFailureService } from './job-failure.service';
import { JobWorkerService } from './job-worker.service';
import { QueueMetricsListener } from './queue-metrics.listener';
import { RunLimitService } from './run-limit.service';
import { TickerService } from './ticker.service';

/** The infrastructure of every job. */
@Module({
  imports: [MailboxesModule, SendsModule, MaintenanceModule],
  providers: [
    JobDecoratorService,
    JobFailureService,
    JobWorkerService,
    QueueMetricsListener,
    InstallationMetricsListener,
    TickerService,
    MaintenanceGateService,
    RunLimitService,
  ],
  exports: [JobDecoratorService, JobFailureService, JobWorkerService, TickerService, MaintenanceGateService],
})
export class JobsModule {}
