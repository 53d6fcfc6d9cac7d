import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { FleetMemberRecord } from './fleet.record';
import { Fleet } from './fleet.service';

@Module({
  imports: [DatabaseModule.collections(FleetMemberRecord)],
  providers: [Fleet],
  exports: [Fleet],
})
export class FleetModule {}
