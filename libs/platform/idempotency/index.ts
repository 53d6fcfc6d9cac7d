export { IdempotencyService, type IdempotentAttempt, type StoredAnswer } from './idempotency.service';
export { IdempotencyModule } from './idempotency.module';
