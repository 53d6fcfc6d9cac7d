export { RecoveryModule } from './recovery.module';
export { Release } from './release.service';
