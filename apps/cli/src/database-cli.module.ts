import { Module } from '@nestjs/common';
import { migrations } from '@domain/migrations';
import { BackupModule } from '@platform/backup';
import { ClockModule } from '@platform/clock';
import { ConfigModule } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { MigrationsModule } from '@platform/migrations';
import { SecretsModule } from '@platform/secrets';
import { observability } from './observability';

/** The database without the platform: it starts on one of an earlier release, and on none at all. */
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
