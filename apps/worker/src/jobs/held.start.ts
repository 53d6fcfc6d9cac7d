import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Hold } from '@platform/hold';
import { HealthChecks, Log } from '@platform/observability';

const LOOK_EVERY_MS = 2_000;

/**
 * Begins the work of the process, or waits with it while the installation is held after a restore (docs/backup.md): then no
 * job runs, no schedule, no sweep, and no mailbox is read.
 */
@Injectable()
export class HeldStart implements OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;
  #begin: (() => void) | undefined;

  constructor(
    private readonly hold: Hold,
    private readonly health: HealthChecks,
    private readonly log: Log,
  ) {}

  /** @param looking whether it looks by itself when the hold is over; tests call `look` */
  async whenReleased(begin: () => void, { looking }: { looking: boolean }): Promise<void> {
    const held = await this.hold.current();
    if (!held) return begin();
    this.#begin = begin;
    this.log.warn('Nothing goes out: the database was restored and is held until `outreach release`', { ...held });
    this.health.register({ name: 'released', essential: false, check: () => this.#requireBegun() });
    if (looking) this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
  }

  /** Begins if the hold is over; a failure to find out is one look lost. */
  async look(): Promise<void> {
    try {
      if ((await this.hold.current()) !== null) return;
    } catch (error) {
      this.log.warn('It cannot be found out whether the installation is held', { reason: String(error) });
      return;
    }
    clearInterval(this.#timer);
    const begin = this.#begin;
    this.#begin = undefined;
    if (begin) this.log.info('The installation was released; the work begins');
    begin?.();
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
    this.#begin = undefined;
  }

  #requireBegun(): Promise<Record<string, unknown>> {
    return this.#begin ? Promise.reject(new Error('held')) : Promise.resolve({});
  }
}
