import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { BootError } from '@platform/lifecycle';
import { type Model } from 'mongoose';
import { MaintenanceModeRecord } from './maintenance-mode.record';

export type ActiveMaintenance = Pick<MaintenanceModeRecord, 'state' | 'backupAt' | 'since'>;

const ONLY = 'installation';

/**
 * Holds back everything that the installation does by itself. A restored database knows nothing of what was done since its
 * backup: until the operator has said what is to become of that, nothing may be done again.
 */
@Injectable()
export class MaintenanceModeService {
  constructor(@InjectModel(MaintenanceModeRecord.name) private readonly modes: Model<MaintenanceModeRecord>) {}

  /** null while nothing is held back. */
  async current(): Promise<ActiveMaintenance | null> {
    return this.modes.findOne({ _id: ONLY }, { _id: 0 }).lean<ActiveMaintenance>();
  }

  /** @throws BootError while a restore is not finished: nobody may work on what is there */
  async requireWhole(): Promise<void> {
    if ((await this.current())?.state !== 'restoring') return;
    throw new BootError(
      'A restore of this database was not finished: repeat it with `outreach restore --drop` (docs/operators/backups-and-upgrades.md)',
    );
  }

  async enable(held: ActiveMaintenance): Promise<void> {
    await this.modes.updateOne({ _id: ONLY }, { $set: held }, { upsert: true });
  }

  async disable(): Promise<void> {
    await this.modes.deleteOne({ _id: ONLY });
  }

  /** Where it is kept: who empties the database leaves it. */
  get collection(): string {
    return this.modes.collection.collectionName;
  }
}
