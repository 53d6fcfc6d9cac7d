import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { IdempotencyRecord } from './idempotency.record';
import { IdempotencyKeys } from './idempotency.service';

@Module({
  imports: [DatabaseModule.collections(IdempotencyRecord)],
  providers: [IdempotencyKeys],
  exports: [IdempotencyKeys],
})
export class IdempotencyModule {}
