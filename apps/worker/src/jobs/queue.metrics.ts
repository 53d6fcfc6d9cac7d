import { Injectable } from '@nestjs/common';
import { Clock } from '@platform/clock';
import { HealthChecks, Metrics } from '@platform/observability';
import { Queues } from '@platform/queues';

/** Shows depth and lag of every queue in the worker's health report and metrics. */
@Injectable()
export class QueueMetrics {
  constructor(
    private readonly queues: Queues,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
    health: HealthChecks,
  ) {
    health.register({ name: 'queues', essential: true, check: () => this.#measure() });
  }

  async #measure(): Promise<Record<string, unknown>> {
    const depths = await this.queues.depths(this.clock.now()).catch((error: unknown) => {
      // Old values would look like a quiet night.
      this.metrics.queueDepth.reset();
      this.metrics.queueLag.reset();
      throw error;
    });
    for (const [queue, { waiting, active, delayed, lagMs }] of Object.entries(depths)) {
      for (const [state, count] of Object.entries({ waiting, active, delayed })) {
        this.metrics.queueDepth.set({ queue, state }, count);
      }
      this.metrics.queueLag.set({ queue }, lagMs / 1000);
    }
    return depths;
  }
}
