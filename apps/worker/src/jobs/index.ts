export { checkProcessors } from './processor-check';
export { MaintenanceGateService } from './maintenance-gate.service';
export { JobProcessor } from './job.processor';
export { JobRunnerService } from './job-runner.service';
export { JobsModule } from './jobs.module';
export { TickerService } from './ticker.service';
