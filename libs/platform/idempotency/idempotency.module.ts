import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { IdempotencyRecord } from './idempotency.record';
import { IdempotencySealed } from './idempotency.sealed';
import { IdempotencyKeys } from './idempotency.service';

@Module({
  imports: [DatabaseModule.collections(IdempotencyRecord)],
  providers: [IdempotencyKeys, IdempotencySealed],
  exports: [IdempotencyKeys],
})
export class IdempotencyModule {}
