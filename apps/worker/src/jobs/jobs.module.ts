import { Module } from '@nestjs/common';
import { JobRunner } from './job.runner';
import { QueueMetrics } from './queue.metrics';
import { Ticker } from './ticker';

/** What every job crosses. */
@Module({ providers: [JobRunner, QueueMetrics, Ticker], exports: [JobRunner, Ticker] })
export class JobsModule {}
