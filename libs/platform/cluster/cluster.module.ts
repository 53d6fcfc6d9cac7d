import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { MaintenanceModule } from '@platform/maintenance';
import { ClusterMemberRecord } from './cluster-member.record';
import { ClusterMembershipService } from './cluster-membership.service';

@Module({
  imports: [DatabaseModule.collections(ClusterMemberRecord), MaintenanceModule],
  providers: [ClusterMembershipService],
  exports: [ClusterMembershipService],
})
export class ClusterModule {}
