import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { MaintenanceModeService } from '@platform/maintenance';
import { LogService } from '@platform/observability';
import { ClusterMembershipService } from './cluster-membership.service';

/** How often a process says that it is there. */
const BEAT_MS = 10_000;
/** One that has not been heard of for this long is gone. */
const GONE_MS = 35_000;

/** Says that this process uses the database, for as long as it does: a restore that would replace what is there is refused then. */
@Injectable()
export class PresenceService implements OnModuleDestroy {
  readonly #self = randomUUID();
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<unknown> | undefined;

  constructor(
    private readonly fleet: ClusterMembershipService,
    private readonly hold: MaintenanceModeService,
    private readonly log: LogService,
  ) {}

  /**
   * @param work what the process does
   * @throws BootError when a restore has begun: it saw nobody, or sees now that somebody came
   */
  async start(work: string): Promise<void> {
    const beat = () => this.fleet.join(work, this.#self, GONE_MS);
    await beat();
    this.#timer = setInterval(() => {
      this.#beating ??= beat()
        .catch((error: unknown) =>
          this.log.warn('The database was not told of this process', { reason: String(error) }),
        )
        .finally(() => (this.#beating = undefined));
    }, BEAT_MS);
    // Only now: whoever looked before could have missed a restore that had just looked for processes.
    await this.hold.requireWhole().catch(async (refusal: unknown) => {
      await this.stop();
      throw refusal;
    });
  }

  async stop(): Promise<void> {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#beating;
    await this.fleet.leave(this.#self);
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop();
  }
}
