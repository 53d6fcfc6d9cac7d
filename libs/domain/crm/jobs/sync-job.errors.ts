import { type AppError, notFound } from '@platform/errors';

/** The same for an unknown job and one of another workspace. */
export function syncJobNotFound(): AppError {
  return notFound('CRM sync job');
}
