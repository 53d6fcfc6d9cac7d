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

/** Whether nothing in the mailbox could have been read: that says nothing about the message that was asked for. */
export function isUnreached(error: unknown): error is MailError {
  return error instanceof MailError && (error.failure === 'needs-human' || BEFORE_ANY_REQUEST.has(error.stage));
}
