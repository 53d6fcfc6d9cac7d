import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { HoldModule } from '@platform/hold';
import { FleetMemberRecord } from './fleet.record';
import { Fleet } from './fleet.service';
import { Presence } from './presence.service';

@Module({
  imports: [DatabaseModule.collections(FleetMemberRecord), HoldModule],
  providers: [Fleet, Presence],
  exports: [Fleet, Presence],
})
export class FleetModule {}
