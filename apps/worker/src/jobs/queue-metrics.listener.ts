import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { HealthService, MetricsService } from '@platform/observability';
import { QueuesService } from '@platform/queues';

/** Reports depth and lag of every queue in the health report and metrics of the worker. */
@Injectable()
export class QueueMetricsListener implements OnModuleInit {
  constructor(
    private readonly queues: QueuesService,
    private readonly metrics: MetricsService,
    private readonly clock: ClockPort,
    private readonly health: HealthService,
  ) {}

  onModuleInit(): void {
    this.health.register({ name: 'queues', essential: true, check: () => this.#measure() });
  }

  async #measure(): Promise<Record<string, unknown>> {
    const depths = await this.queues.depths(this.clock.now()).catch((error: unknown) => {
      // Stale values would hide a problem.
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
