export { BackupModule } from './backup.module';
export { BackupService } from './backup.service';
export { RestoreService } from './restore.service';
