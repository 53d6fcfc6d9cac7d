import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Prometheus metrics of this process. Labels come from fixed sets (routes, queues), never from user input. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly httpRequests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [this.registry],
  });

  readonly jobs = new Histogram({
    name: 'job_duration_seconds',
    help: 'Time that one attempt of a job took, by how it ended.',
    labelNames: ['queue', 'outcome'],
    buckets: [...SECONDS, 120, 600],
    registers: [this.registry],
  });

  readonly deadJobs = new Counter({
    name: 'dead_jobs_total',
    help: 'Jobs that were given up and recorded.',
    labelNames: ['queue'],
    registers: [this.registry],
  });

  readonly queueDepth = new Gauge({
    name: 'queue_jobs',
    help: 'Jobs of a queue by state.',
    labelNames: ['queue', 'state'],
    registers: [this.registry],
  });

  readonly queueLag = new Gauge({
    name: 'queue_lag_seconds',
    help: 'How long the oldest waiting job of a queue has been waiting.',
    labelNames: ['queue'],
    registers: [this.registry],
  });

  readonly swept = new Counter({
    name: 'swept_jobs_total',
    help: 'Jobs that the sweeper found missing and created again.',
    labelNames: ['sweep'],
    registers: [this.registry],
  });

  readonly webhookAttempts = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time that one request to the receiver of a webhook took: accepted, refused (another status), or unanswered.',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers: [this.registry],
  });

  /**
   * Adds what Node tells of the process itself. It watches for that from then on and cannot be told to stop, so a process
   * does it once somebody can ask.
   */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }
}
