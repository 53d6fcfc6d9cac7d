export { RecoveryModule } from './recovery.module';
export { RestoreReconcilerService } from './restore-reconciler.service';
