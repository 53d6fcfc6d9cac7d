export { checkProcessors } from './boot.check';
export { JobProcessor } from './job.processor';
export { JobRunner } from './job.runner';
export { JobsModule } from './jobs.module';
export { Ticker } from './ticker';
