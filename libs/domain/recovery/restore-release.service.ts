import { WorkspacesService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { conflict, invalidField } from '@platform/errors';
import { MaintenanceModeService, type ActiveMaintenance } from '@platform/maintenance';
import { RestoredArrivalsService } from './restored-arrivals.service';
import { RestoreReconcilerService, type ReconcileReport } from './restore-reconciler.service';

export interface ReleaseOptions {
  /** Nothing was sent since the backup: the platform stood still. Nothing is set aside then. */
  nothingWasSent: boolean;
  /** When the lost platform had stopped at the latest; otherwise the moment of the restore. */
  stoppedAt?: Date;
}

interface SetAsideHere extends ReconcileReport {
  /** Imports, and pulls from CRMs, that were ended. */
  readonly arrivals: number;
}

export interface ReleaseReport {
  readonly backupAt: Date;
  /** null: nothing was set aside. */
  readonly until: Date | null;
  /** By workspace. */
  readonly setAside: Readonly<Record<string, SetAsideHere>>;
}

/** Lets a restored installation go on, once the operator has said what it missed. */
@Injectable()
export class RestoreReleaseService {
  constructor(
    private readonly hold: MaintenanceModeService,
    private readonly workspaces: WorkspacesService,
    private readonly restored: RestoreReconcilerService,
    private readonly arrivals: RestoredArrivalsService,
  ) {}

  /**
   * The hold ends last: whatever breaks off before is done by repeating it.
   * @throws CONFLICT while nothing is held, VALIDATION_ERROR for a time that is not between backup and restore
   */
  async run({ nothingWasSent, stoppedAt }: ReleaseOptions): Promise<ReleaseReport> {
    const held = await this.#held();
    const { backupAt } = held;
    const until = nothingWasSent ? null : untilOf(held, stoppedAt);
    const setAside: Record<string, SetAsideHere> = {};
    if (until) {
      for (const id of await this.workspaces.idsWithDeleted()) {
        const arrivals = await this.arrivals.setAside(id, until);
        setAside[id] = { ...(await this.restored.setAside(id, backupAt, until)), arrivals };
      }
    }
    await this.hold.disable();
    return { backupAt, until, setAside };
  }

  async #held(): Promise<ActiveMaintenance> {
    const held = await this.hold.current();
    if (!held) throw conflict('Nothing is held back: this database was not restored, or has been released');
    return held;
  }
}

function untilOf({ backupAt, since }: ActiveMaintenance, stoppedAt = since): Date {
  if (stoppedAt < backupAt || stoppedAt > since) {
    const span = `${backupAt.toISOString()} and ${since.toISOString()}`;
    throw invalidField('stoppedAt', `stopped-at must be between the backup and the restore: ${span}`);
  }
  return stoppedAt;
}
