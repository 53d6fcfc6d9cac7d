import { type AppError, notFound } from '@platform/errors';

/** The same error for an unknown job, another workspace's job and an expired one. */
export function jobNotFound(): AppError {
  return notFound('Enrichment job', 'expired');
}
