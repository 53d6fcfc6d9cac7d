import { MailError, type MailStage } from '@adapters/mail';

const BEFORE_ANY_REQUEST: ReadonlySet<MailStage> = new Set([
  'busy',
  'address',
  'resolve',
  'connect',
  'tls',
  'greeting',
  'login',
]);

/** Whether the mailbox could not be reached at all: the requested message is not at fault. */
export function isUnreached(error: unknown): error is MailError {
  return error instanceof MailError && (error.failure === 'needs-human' || BEFORE_ANY_REQUEST.has(error.stage));
}
