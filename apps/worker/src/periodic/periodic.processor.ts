import { Processor } from '@nestjs/bullmq';
import { type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { getWorkerOptions, type RunPeriodicTask } from '@platform/queues';
import { createAttemptSignal, JobProcessor } from '../jobs';
import { type PeriodicTask, periodicTasks } from '@domain/assembly';

/** How long a run may need to stop after its timeout before another run starts beside it. */
const STOP_WITHIN_MS = 60_000;

/** Runs the tasks of the table that are due by the clock. */
@Processor('periodic', getWorkerOptions('periodic'))
export class PeriodicProcessor extends JobProcessor<RunPeriodicTask> {
  /** Runs of this process by task, with the time at which each should have stopped. */
  readonly #running = new Map<string, { stopBy: Date }>();

  constructor(
    private readonly modules: ModuleRef,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {
    super();
  }

  /**
   * A run that is due while the previous one still works in this process is skipped: that one finds the work. A run that
   * does not stop at its timeout holds up no later one, which workers could run at the same time anyway.
   */
  async handle({ task: name }: RunPeriodicTask, signal: AbortSignal): Promise<void> {
    const task = periodicTasks.find((row) => row.name === name);
    if (!task) return this.log.warn('A periodic task of another release was skipped', { task: name });
    const previous = this.#running.get(name);
    if (previous && previous.stopBy > this.clock.now()) return;
    if (previous) this.log.error('A periodic task did not stop at its timeout', undefined, { task: name });
    const run = { stopBy: this.clock.in(task.timeoutMs + STOP_WITHIN_MS) };
    this.#running.set(name, run);
    try {
      await this.#run(task, signal);
    } finally {
      if (this.#running.get(name) === run) this.#running.delete(name);
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
