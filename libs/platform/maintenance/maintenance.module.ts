import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { MaintenanceModeRecord } from './maintenance-mode.record';
import { MaintenanceModeService } from './maintenance-mode.service';

@Module({
  imports: [DatabaseModule.collections(MaintenanceModeRecord)],
  providers: [MaintenanceModeService],
  exports: [MaintenanceModeService],
})
export class MaintenanceModule {}
