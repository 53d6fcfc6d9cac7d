import { type AppError, notFound } from '@platform/errors';

/** The same for a job that never was, and one of another workspace. */
export function syncJobNotFound(): AppError {
  return notFound('CRM sync job');
}
