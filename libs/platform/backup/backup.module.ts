import { type DynamicModule, Module } from '@nestjs/common';
import { FleetModule } from '@platform/fleet';
import { Backups } from './backups.service';
import { Restores } from './restores.service';

@Module({})
export class BackupModule {
  /** @param migrations the module that knows which migrations the database has seen */
  static beside(migrations: DynamicModule): DynamicModule {
    return {
      module: BackupModule,
      imports: [FleetModule, migrations],
      providers: [Backups, Restores],
      exports: [Backups, Restores],
    };
  }
}
