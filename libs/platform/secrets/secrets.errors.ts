import { AppError, defineError } from '@platform/errors';

const SECRET_UNREADABLE = defineError(
  'SECRET_UNREADABLE',
  'unavailable',
  'A stored secret cannot be decrypted with the keys of this installation; the operator has to restore the key (SECRET_KEYS).',
  'needs-human',
);

/**
 * Why a secret cannot be decrypted: `malformed` has another format, `unknown_key` names a key that is not in the ring, `refused`
 * was changed or belongs to another owner (the two cannot be distinguished).
 */
export type SecretOpenReason = 'malformed' | 'unknown_key' | 'refused';

/** Thrown by `SecretBoxService.open`. Neither the message nor a property contains the secret; a retry does not help. */
export class SecretOpenError extends AppError {
  readonly retry = false;

  constructor(
    readonly reason: SecretOpenReason,
    message: string,
  ) {
    super(SECRET_UNREADABLE, message);
  }
}

/** Thrown by `KeyRing.parse` with all problems at once; never contains key material. The process does not start. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError';

  constructor(readonly problems: readonly string[]) {
    super(`The secret keys are invalid: ${problems.join('; ')}`);
  }
}
