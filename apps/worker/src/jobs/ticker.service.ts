import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LeaseService } from '@platform/database';
import { LogService, MetricsService, measureTime } from '@platform/observability';
import { ScheduleQueue, type ScheduleRow, type Sweep } from '@platform/queues';

const SCHEDULE_EVERY_MS = 2_000;
const SWEEP_EVERY_MS = 5_000;

/**
 * Timer of the worker, independent of Redis: enqueues the jobs of due schedules and runs each sweep, which restores
 * missing jobs. A lease lets one worker at a time run each of them.
 */
@Injectable()
export class TickerService implements OnModuleDestroy {
  readonly #stopping = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(
    private readonly schedules: ScheduleQueue,
    private readonly leases: LeaseService,
    private readonly metrics: MetricsService,
    private readonly log: LogService,
  ) {}

  start(rows: readonly ScheduleRow[], sweeps: readonly Sweep[]): void {
    this.#repeatEvery(SCHEDULE_EVERY_MS, () => this.runSchedules(rows));
    this.#repeatEvery(SWEEP_EVERY_MS, () => this.runSweeps(sweeps));
  }

  async runSchedules(rows: readonly ScheduleRow[]): Promise<void> {
    await this.leases.runUnderLease('schedules', this.#stopping.signal, async () => {
      for (const schedule of await this.schedules.tick(rows)) {
        this.metrics.scheduled.inc({ schedule });
        this.log.debug('Schedule ran', { schedule });
      }
    });
  }

  async runSweeps(sweeps: readonly Sweep[]): Promise<void> {
    await this.leases.runUnderLease('sweeps', this.#stopping.signal, async (signal) => {
      for (const sweep of sweeps) {
        if (signal.aborted) return;
        // A failing sweep must not stop the others.
        await this.#sweep(sweep).catch((error: unknown) =>
          this.log.error('A sweep failed', error, { sweep: sweep.name }),
        );
      }
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.#stopping.abort(new Error('The worker is stopping'));
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#running);
  }

  async #sweep(sweep: Sweep): Promise<void> {
    const labels = (outcome: string) => () => ({ sweep: sweep.name, outcome });
    const ended = { done: labels('done'), failed: labels('failed') };
    const restored = await measureTime(this.metrics.sweeps, ended, () => sweep.sweep());
    this.metrics.swept.inc({ sweep: sweep.name }, restored);
    if (restored === 0) return;
    this.log.warn('Missing jobs were restored', { sweep: sweep.name, restored });
  }

  /** Repeats `work`; a run that is due while the previous one is still running is skipped. */
  #repeatEvery(milliseconds: number, work: () => Promise<void>): void {
    let current: Promise<void> | undefined;
    const run = (): void => {
      if (current) return;
      current = work()
        .catch((error: unknown) => this.log.error('A repeated task failed and is retried', error))
        .finally(() => {
          if (current) this.#running.delete(current);
          current = undefined;
        });
      this.#running.add(current);
    };
    this.#timers.push(setInterval(run, milliseconds));
    run();
  }
}
