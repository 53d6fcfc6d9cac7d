import { AppError, defineError, type ErrorDetail } from '@platform/errors';

const CAMPAIGN_NOT_READY = defineError(
  'CAMPAIGN_NOT_READY',
  'conflict',
  'The campaign cannot be started as it is; `details` names every check that failed. Nothing was changed.',
);

/** @param details every failed check with its reason */
export function campaignNotReady(details: readonly ErrorDetail[]): AppError {
  return new AppError(CAMPAIGN_NOT_READY, details.map(({ message }) => message).join('; '), { details });
}
