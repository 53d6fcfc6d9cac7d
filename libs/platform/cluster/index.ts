export { ClusterModule } from './cluster.module';
export { ClusterMembershipService } from './cluster-membership.service';
export { getOwner } from './rendezvous-hash';
export { RUNTIME_COLLECTIONS } from './runtime-collections';
