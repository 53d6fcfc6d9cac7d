import { AppError, defineError } from '@platform/errors';

const TRACKING_HOST_UNREACHABLE = defineError(
  'TRACKING_HOST_UNREACHABLE',
  'unprocessable',
  'The host does not point to this platform; the message names the reason. Nothing was changed.',
  'needs-human',
);

export function trackingHostUnreachable(message: string, cause?: unknown): AppError {
  return new AppError(TRACKING_HOST_UNREACHABLE, message, { cause });
}
