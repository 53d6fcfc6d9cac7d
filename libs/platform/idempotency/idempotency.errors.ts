import { AppError, defineError } from '@platform/errors';

const IDEMPOTENCY_KEY_REUSED = defineError(
  'IDEMPOTENCY_KEY_REUSED',
  'unprocessable',
  'The Idempotency-Key was used before with a different body.',
);
const IDEMPOTENCY_CONFLICT = defineError(
  'IDEMPOTENCY_CONFLICT',
  'conflict',
  'The first request with this Idempotency-Key is still running, or it has completed and its response is unavailable.',
);

export function keyReused(): AppError {
  return new AppError(IDEMPOTENCY_KEY_REUSED, 'This Idempotency-Key was used with a different request body');
}

export function stillRunning(): AppError {
  return new AppError(IDEMPOTENCY_CONFLICT, 'The first request with this Idempotency-Key is still running');
}

export function responseUnavailable(): AppError {
  return new AppError(
    IDEMPOTENCY_CONFLICT,
    'The first request with this Idempotency-Key has completed, but its response is unavailable; check the records that it created',
  );
}
