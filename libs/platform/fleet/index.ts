export { FleetModule } from './fleet.module';
export { Fleet } from './fleet.service';
export { ownerOf } from './rendezvous';
