export { FleetModule } from './fleet.module';
export { Fleet } from './fleet.service';
export { ownerOf } from './rendezvous';
export { RUNTIME_COLLECTIONS } from './runtime.collections';
