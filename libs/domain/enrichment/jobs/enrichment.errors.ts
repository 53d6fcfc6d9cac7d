import { type AppError, notFound } from '@platform/errors';

/** The same for a job that never was, one of another workspace, and one whose seven days are over. */
export function jobNotFound(): AppError {
  return notFound('Enrichment job', 'expired');
}
