import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { BootError } from '@platform/lifecycle';
import { type Model } from 'mongoose';
import { MaintenanceModeRecord } from './maintenance-mode.record';

export type ActiveMaintenance = Pick<MaintenanceModeRecord, 'state' | 'backupAt' | 'since'>;

const ONLY = 'installation';

/**
 * Stops all automatic work of the installation. A restored database lacks the actions since its backup, so that automatic work
 * could repeat them: it waits until the operator ends maintenance mode.
 */
@Injectable()
export class MaintenanceModeService {
  constructor(@InjectModel(MaintenanceModeRecord.name) private readonly modes: Model<MaintenanceModeRecord>) {}

  /** The active maintenance mode, or null. */
  async current(): Promise<ActiveMaintenance | null> {
    return this.modes.findOne({ _id: ONLY }, { _id: 0 }).lean<ActiveMaintenance>();
  }

  /** @throws BootError while a restore is incomplete */
  async requireWhole(): Promise<void> {
    if ((await this.current())?.state !== 'restoring') return;
    throw new BootError(
      'The last restore of this database is incomplete: repeat it with `outreach restore --drop` (docs/operators/backups-and-upgrades.md)',
    );
  }

  async enable(active: ActiveMaintenance): Promise<void> {
    await this.modes.updateOne({ _id: ONLY }, { $set: active }, { upsert: true });
  }

  async disable(): Promise<void> {
    await this.modes.deleteOne({ _id: ONLY });
  }

  /** Name of the collection, which a restore does not drop. */
  get collection(): string {
    return this.modes.collection.collectionName;
  }
}
