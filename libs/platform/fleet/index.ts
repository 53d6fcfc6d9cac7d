export { FleetModule } from './fleet.module';
export { Fleet } from './fleet.service';
export { Presence } from './presence.service';
export { ownerOf } from './rendezvous';
export { RUNTIME_COLLECTIONS } from './runtime.collections';
