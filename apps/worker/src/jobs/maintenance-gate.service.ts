import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type ActiveMaintenance, MaintenanceModeService } from '@platform/maintenance';
import { HealthService, LogService } from '@platform/observability';

const POLL_MS = 2_000;

/**
 * Begins the work of the process, or waits with it while the installation is held after a restore (docs/operators/backups-and-upgrades.md): then no
 * job runs, no schedule, no sweep, and no mailbox is read. A database that is restored under a process which works, as when
 * it was away and came back from a backup, ends that process: what it knows belongs to another time.
 */
@Injectable()
export class MaintenanceGateService implements OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;
  #begin: (() => void) | undefined;
  #isLooking = false;
  #isOver = false;
  readonly #onMaintenance = Promise.withResolvers<void>();

  constructor(
    private readonly maintenance: MaintenanceModeService,
    private readonly health: HealthService,
    private readonly log: LogService,
  ) {}

  /** Resolves when a hold appears while the work goes on: the process must end. */
  get onMaintenance(): Promise<void> {
    return this.#onMaintenance.promise;
  }

  /** @param looking whether it looks by itself for a hold that ends, or appears; tests call `look` */
  async whenAllowed(begin: () => void, { looking }: { looking: boolean }): Promise<void> {
    const held = await this.maintenance.current();
    if (looking) this.#timer = setInterval(() => this.#poll(), POLL_MS);
    if (!held) return begin();
    this.#begin = begin;
    this.log.warn('Nothing goes out: the database was restored and is held until `outreach release`', { ...held });
    this.health.register({ name: 'released', essential: false, check: () => this.#requireBegun() });
  }

  /** Begins if the hold is over, and ends if there is one again; a failure to find out is one look lost. */
  async poll(): Promise<void> {
    let held: ActiveMaintenance | null;
    try {
      held = await this.maintenance.current();
    } catch (error) {
      this.log.warn('It cannot be found out whether the installation is held', { reason: String(error) });
      return;
    }
    if (this.#isOver) return;
    const begin = this.#begin;
    if (held) {
      if (!begin) this.#end(held);
      return;
    }
    this.#begin = undefined;
    if (begin) this.log.info('The installation was released; the work begins');
    begin?.();
  }

  #end(held: ActiveMaintenance): void {
    clearInterval(this.#timer);
    this.log.warn(
      'The database was restored while this process worked on it: it ends, and waits when it is started again',
      {
        ...held,
      },
    );
    this.#onMaintenance.resolve();
  }

  /** A look takes as long as the database does to answer; no second one joins it. */
  #poll(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    void this.poll().finally(() => {
      this.#isLooking = false;
    });
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
    this.#isOver = true;
    this.#begin = undefined;
  }

  #requireBegun(): Promise<Record<string, unknown>> {
    return this.#begin ? Promise.reject(new Error('held')) : Promise.resolve({});
  }
}
