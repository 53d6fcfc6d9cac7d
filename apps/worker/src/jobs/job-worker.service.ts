import { BullRegistrar, ProcessorDecoratorService } from '@nestjs/bullmq';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Config } from '@platform/config';
import { LogService, MetricsService } from '@platform/observability';
import { QueuesService, RENAMED_QUEUES, selectQueues } from '@platform/queues';
import { JobDecoratorService } from './job-decorator.service';
import { JobFailureService } from './job-failure.service';
import { type JobProcessor } from './job.processor';

/** Starts and drains the BullMQ workers of this process. */
@Injectable()
export class JobWorkerService implements OnModuleDestroy {
  #processors: readonly JobProcessor[] = [];

  constructor(
    private readonly config: Config,
    private readonly queues: QueuesService,
    private readonly registrar: BullRegistrar,
    private readonly decorator: JobDecoratorService,
    private readonly failures: JobFailureService,
    private readonly metrics: MetricsService,
    private readonly log: LogService,
    private readonly modules: ModuleRef,
  ) {}

  /** Starts consuming. Redis may be down: the workers wait for it. */
  start(processors: readonly JobProcessor[]): void {
    const { renamed } = selectQueues(this.config.workerQueues);
    if (renamed.length > 0) {
      this.log.warn('WORKER_QUEUES uses queue names of an earlier release, which the next release refuses', {
        renamed: renamed.map((name) => `${name} is ${RENAMED_QUEUES[name]}`),
      });
    }
    void this.#deleteRenamed();
    // The module of the package provides its own decorator, and Nest resolves that first.
    const provided = this.modules.get(ProcessorDecoratorService, { strict: false });
    provided.decorate = (processor) => this.decorator.decorate(processor);
    this.registrar.register();
    this.#processors = processors;
    for (const { worker } of processors) this.metrics.deadJobs.inc({ queue: worker.name }, 0);
  }

  /** Takes no new job and waits for those that run. */
  async drain(): Promise<void> {
    await Promise.all(this.#processors.map(({ worker }) => worker.close()));
    await this.failures.settle();
  }

  async onModuleDestroy(): Promise<void> {
    await this.drain();
  }

  /** Redis may be away: what is left then is deleted at the next start. */
  async #deleteRenamed(): Promise<void> {
    await this.queues
      .deleteRenamed()
      .catch((error: unknown) =>
        this.log.warn('Queues of an earlier release were not deleted', { reason: String(error) }),
      );
  }
}
