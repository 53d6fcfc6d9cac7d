import { AppError, defineError, type ErrorCode } from '@platform/errors';

const OAUTH_NOT_CONFIGURED = defineError(
  'OAUTH_NOT_CONFIGURED',
  'unprocessable',
  'The operator of this installation has registered no OAuth client with the vendor.',
  'needs-human',
);

/** Why a consent did not connect a mailbox: the `error.code` of a failed session. */
export const oauthFailures = {
  denied: defineError('OAUTH_DENIED', 'unprocessable', 'The person did not consent.', 'needs-human'),
  incomplete: defineError(
    'OAUTH_CONSENT_INCOMPLETE',
    'unprocessable',
    'Consent was given, but not for all mail permissions, or without a refresh token.',
    'needs-human',
  ),
  wrongAccount: defineError(
    'OAUTH_WRONG_ACCOUNT',
    'unprocessable',
    'Consent was given for another account than the mailbox that was to be authorised.',
    'needs-human',
  ),
  failed: defineError('OAUTH_FAILED', 'upstream', 'The vendor did not complete the consent; start again.'),
} as const satisfies Record<string, ErrorCode>;

export function oauthNotConfigured(provider: string): AppError {
  return new AppError(
    OAUTH_NOT_CONFIGURED,
    `Mailboxes of ${provider} cannot be connected by consent: no client is set up`,
  );
}

export function oauthFailure(reason: keyof typeof oauthFailures, message: string, cause?: unknown): AppError {
  return new AppError(oauthFailures[reason], message, { cause });
}
