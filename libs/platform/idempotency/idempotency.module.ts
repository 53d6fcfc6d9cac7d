import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { IdempotencyRecord } from './idempotency.record';
import { IdempotencySecretListener } from './idempotency-secret.listener';
import { IdempotencyService } from './idempotency.service';

@Module({
  imports: [DatabaseModule.collections(IdempotencyRecord)],
  providers: [IdempotencyService, IdempotencySecretListener],
  exports: [IdempotencyService],
})
export class IdempotencyModule {}
