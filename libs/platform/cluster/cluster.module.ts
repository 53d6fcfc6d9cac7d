import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { MaintenanceModule } from '@platform/maintenance';
import { ClusterMemberRecord } from './cluster-member.record';
import { ClusterMembershipService } from './cluster-membership.service';
import { PresenceService } from './presence.service';

@Module({
  imports: [DatabaseModule.collections(ClusterMemberRecord), MaintenanceModule],
  providers: [ClusterMembershipService, PresenceService],
  exports: [ClusterMembershipService, PresenceService],
})
export class ClusterModule {}
