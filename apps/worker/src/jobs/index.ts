export { createAttemptSignal } from './attempt-signal';
export { MaintenanceGateService } from './maintenance-gate.service';
export { JobDecoratorService } from './job-decorator.service';
export { getQueueName, JobProcessor } from './job.processor';
export { JobWorkerService } from './job-worker.service';
export { JobsModule } from './jobs.module';
export { TickerService } from './ticker.service';
