import { AppError, defineError } from '@platform/errors';

const UNAUTHORIZED = defineError('UNAUTHORIZED', 'unauthenticated', 'The X-Api-Key header contains no valid key.');

/** One answer for every invalid key: it does not reveal whether the key ever existed. */
export function unauthorized(): AppError {
  return new AppError(UNAUTHORIZED, 'A valid API key is required in the X-Api-Key header');
}
