export { RecoveryModule } from './recovery.module';
export { RestoreReleaseService } from './restore-release.service';
