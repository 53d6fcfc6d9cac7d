import { AppError, conflict, defineError, type ErrorDetail } from '@platform/errors';

const MAILBOX_CHECK_FAILED = defineError(
  'MAILBOX_CHECK_FAILED',
  'unprocessable',
  'The login to the outgoing or the incoming mail server failed; `details` names the fields that it points to. Nothing was stored.',
);

/** @param details one entry for each failed half of the mailbox */
export function mailboxCheckFailed(details: readonly ErrorDetail[]): AppError {
  return new AppError(MAILBOX_CHECK_FAILED, details.map(({ message }) => message).join('; '), { details });
}

export function addressTaken(email: string): AppError {
  return conflict(`${email} is already connected in this workspace`);
}

export function mailboxChanged(): AppError {
  return conflict('The mailbox was changed concurrently; read it and try again');
}
