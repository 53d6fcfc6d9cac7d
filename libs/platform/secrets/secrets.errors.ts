import { AppError, defineError } from '@platform/errors';

const SECRET_UNREADABLE = defineError(
  'SECRET_UNREADABLE',
  'unavailable',
  'A stored secret cannot be opened with the keys of this installation; the operator has to restore the key (SECRET_KEYS).',
  'needs-human',
);

/**
 * Why a sealed secret did not open: `malformed` is not of our making, `unknown_key` names a key that the ring does not
 * hold, `refused` was tampered with or belongs to another owner (the two cannot be told apart, and need not be).
 */
export type SecretOpenReason = 'malformed' | 'unknown_key' | 'refused';

/** Thrown by `SecretBoxService.open`. Neither the message nor a property holds content; trying again does not help. */
export class SecretOpenError extends AppError {
  readonly retry = false;

  constructor(
    readonly reason: SecretOpenReason,
    message: string,
  ) {
    super(SECRET_UNREADABLE, message);
  }
}

/** Thrown by `KeyRing.parse` with everything that is wrong at once; never echoes key material. Stops the start. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError';

  constructor(readonly problems: readonly string[]) {
    super(`The secret keys are not usable: ${problems.join('; ')}`);
  }
}
