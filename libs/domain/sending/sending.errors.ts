import { AppError, defineError, type ErrorDetail } from '@platform/errors';

const CAMPAIGN_NOT_READY = defineError(
  'CAMPAIGN_NOT_READY',
  'conflict',
  'The campaign cannot be started as it is; `details` names every check that failed. Nothing was changed.',
);

/** @param details every check that failed, and why */
export function campaignNotReady(details: readonly ErrorDetail[]): AppError {
  return new AppError(CAMPAIGN_NOT_READY, details.map(({ message }) => message).join('; '), { details });
}
