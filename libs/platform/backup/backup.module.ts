import { type DynamicModule, Module } from '@nestjs/common';
import { ClusterModule } from '@platform/cluster';
import { BackupService } from './backup.service';
import { RestoreService } from './restore.service';

@Module({})
export class BackupModule {
  /** @param migrations the module that provides the migration history */
  static beside(migrations: DynamicModule): DynamicModule {
    return {
      module: BackupModule,
      imports: [ClusterModule, migrations],
      providers: [BackupService, RestoreService],
      exports: [BackupService, RestoreService],
    };
  }
}
