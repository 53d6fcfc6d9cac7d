export { checkProcessors } from './boot.check';
export { HeldStart } from './held.start';
export { JobProcessor } from './job.processor';
export { JobRunner } from './job.runner';
export { JobsModule } from './jobs.module';
export { Ticker } from './ticker';
