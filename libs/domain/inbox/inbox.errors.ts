import { AppError, defineError } from '@platform/errors';

const ATTACHMENT_NOT_SUPPORTED = defineError(
  'ATTACHMENT_NOT_SUPPORTED',
  'unprocessable',
  'This attachment cannot be fetched: its mailbox is not connected by OAuth, the provider’s id of its message is unknown, or it is larger than 25 MB.',
);
const UPSTREAM_ERROR = defineError(
  'UPSTREAM_ERROR',
  'upstream',
  'The mail provider did not deliver the requested content.',
);

export function attachmentNotSupported(message: string): AppError {
  return new AppError(ATTACHMENT_NOT_SUPPORTED, message);
}

export function upstreamFailed(message: string, cause: unknown): AppError {
  return new AppError(UPSTREAM_ERROR, message, { cause });
}
