import { AppError, defineError } from '@platform/errors';

const IDEMPOTENCY_KEY_REUSED = defineError(
  'IDEMPOTENCY_KEY_REUSED',
  'unprocessable',
  'The Idempotency-Key was used before with another body.',
);
const IDEMPOTENCY_CONFLICT = defineError(
  'IDEMPOTENCY_CONFLICT',
  'conflict',
  'The first request with this Idempotency-Key is still running, or was carried out and its answer is lost.',
);

export function keyReused(): AppError {
  return new AppError(IDEMPOTENCY_KEY_REUSED, 'This Idempotency-Key was used with another request body');
}

export function stillRunning(): AppError {
  return new AppError(IDEMPOTENCY_CONFLICT, 'The first request with this Idempotency-Key is still running');
}

export function responseUnavailable(): AppError {
  return new AppError(
    IDEMPOTENCY_CONFLICT,
    'The first request with this Idempotency-Key was carried out, but its answer was lost; look at what it created',
  );
}
