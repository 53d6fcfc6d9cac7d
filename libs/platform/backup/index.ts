export { BackupModule } from './backup.module';
export { Backups } from './backups.service';
export { Restores } from './restores.service';
