import { Processor } from '@nestjs/bullmq';
import { type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { LogService } from '@platform/observability';
import { getWorkerOptions, type RunPeriodicTask } from '@platform/queues';
import { createAttemptSignal, JobProcessor } from '../jobs';
import { type PeriodicTask, periodicTasks } from './periodic-tasks';

/** Runs the tasks of the table that are due by the clock. */
@Processor('periodic', getWorkerOptions('periodic'))
export class PeriodicProcessor extends JobProcessor<RunPeriodicTask> {
  /** Names of the tasks that this process runs now. */
  readonly #running = new Set<string>();

  constructor(
    private readonly modules: ModuleRef,
    private readonly log: LogService,
  ) {
    super();
  }

  /** A run that is due while the previous one still works in this process is skipped: that one finds the work. */
  async handle({ task: name }: RunPeriodicTask, signal: AbortSignal): Promise<void> {
    const task = periodicTasks.find((row) => row.name === name);
    if (!task) return this.log.warn('A periodic task of another release was skipped', { task: name });
    if (this.#running.has(name)) return;
    this.#running.add(name);
    try {
      await this.#run(task, signal);
    } finally {
      this.#running.delete(name);
    }
  }

  async #run(task: PeriodicTask, stopping: AbortSignal): Promise<void> {
    const { signal, done } = createAttemptSignal(task.timeoutMs, stopping);
    try {
      await task.run(<T>(service: Type<T>) => this.modules.get(service, { strict: false }), signal);
    } finally {
      done();
    }
  }
}
