import { Module } from '@nestjs/common';
import { migrations } from '@domain/migrations';
import { BackupModule } from '@platform/backup';
import { ClockModule } from '@platform/clock';
import { ConfigModule } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { MigrationsModule } from '@platform/migrations';
import { SecretsModule } from '@platform/secrets';
import { observability } from './observability';

/** The database without the platform: it also opens a database of an earlier release, or an empty one. */
const known = MigrationsModule.of(migrations);

@Module({
  imports: [
    ConfigModule,
    ClockModule,
    observability('cli'),
    SecretsModule,
    DatabaseModule.forRoot('outreach-cli'),
    known,
    BackupModule.beside(known),
  ],
})
export class DatabaseCliModule {}
