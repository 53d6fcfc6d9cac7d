import { AppError, defineError } from '@platform/errors';

const UNAUTHORIZED = defineError('UNAUTHORIZED', 'unauthenticated', 'The X-Api-Key header holds no valid key.');

/** One answer for every key that opens nothing: it tells nobody whether the key ever existed. */
export function unauthorized(): AppError {
  return new AppError(UNAUTHORIZED, 'A valid API key is required in the X-Api-Key header');
}
