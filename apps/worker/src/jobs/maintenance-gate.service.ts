import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type ActiveMaintenance, MaintenanceModeService } from '@platform/maintenance';
import { HealthService, LogService } from '@platform/observability';

const POLL_MS = 2_000;

/**
 * Starts the work of the process, or delays it during maintenance mode after a restore
 * (docs/operators/backups-and-upgrades.md): then no job, schedule or sweep runs and no mailbox is read. If maintenance
 * mode starts while the process is working, for example because a restored database came back, the process ends: its
 * state belongs to another time.
 */
@Injectable()
export class MaintenanceGateService implements OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;
  #begin: (() => void) | undefined;
  #isPolling = false;
  #isOver = false;
  readonly #onMaintenance = Promise.withResolvers<void>();

  constructor(
    private readonly maintenance: MaintenanceModeService,
    private readonly health: HealthService,
    private readonly log: LogService,
  ) {}

  /** Resolves when maintenance mode starts during work: the process must end. */
  get onMaintenance(): Promise<void> {
    return this.#onMaintenance.promise;
  }

  /** @param polling whether it polls for the start and end of maintenance mode; tests call `poll` */
  async whenAllowed(begin: () => void, { polling }: { polling: boolean }): Promise<void> {
    const active = await this.maintenance.current();
    if (polling) this.#timer = setInterval(() => this.#poll(), POLL_MS);
    if (!active) return begin();
    this.#begin = begin;
    this.log.warn(
      'Nothing goes out: the database was restored and is in maintenance mode until `outreach maintenance end`',
      {
        ...active,
      },
    );
    this.health.register({ name: 'released', essential: false, check: () => this.#requireBegun() });
  }

  /**
   * Starts the work when maintenance mode is over, and ends it when the mode starts again; a failed read skips one
   * poll.
   */
  async poll(): Promise<void> {
    let active: ActiveMaintenance | null;
    try {
      active = await this.maintenance.current();
    } catch (error) {
      this.log.warn('The state of maintenance mode could not be read', { reason: String(error) });
      return;
    }
    if (this.#isOver) return;
    const begin = this.#begin;
    if (active) {
      if (!begin) this.#end(active);
      return;
    }
    this.#begin = undefined;
    if (begin) this.log.info('Maintenance mode is over; the work starts');
    begin?.();
  }

  #end(active: ActiveMaintenance): void {
    clearInterval(this.#timer);
    this.log.warn(
      'The database was restored during the work of this process: the process ends and waits after its next start',
      {
        ...active,
      },
    );
    this.#onMaintenance.resolve();
  }

  /** A poll takes as long as the database needs to answer; no second one runs at the same time. */
  #poll(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    void this.poll().finally(() => {
      this.#isPolling = false;
    });
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
    this.#isOver = true;
    this.#begin = undefined;
  }

  #requireBegun(): Promise<Record<string, unknown>> {
    return this.#begin ? Promise.reject(new Error('active')) : Promise.resolve({});
  }
}
