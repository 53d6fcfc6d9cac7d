import { AppError, defineError, type ErrorCode } from '@platform/errors';

const NOT_CONFIGURED = defineError(
  'INTEGRATION_OAUTH_NOT_CONFIGURED',
  'unprocessable',
  'The operator of this installation has registered no OAuth client with the vendor of this integration.',
  'needs-human',
);

/** Why a consent connected nothing: the `error.code` of a session that failed. */
export const consentFailures = {
  denied: defineError('INTEGRATION_CONSENT_DENIED', 'unprocessable', 'The person did not consent.', 'needs-human'),
  wrongAccount: defineError(
    'INTEGRATION_WRONG_ACCOUNT',
    'conflict',
    'It is another account than the one that is connected; remove that connection first.',
    'needs-human',
  ),
  failed: defineError(
    'INTEGRATION_CONSENT_FAILED',
    'upstream',
    'The vendor did not complete the consent of an integration; start again.',
  ),
} as const satisfies Record<string, ErrorCode>;

/** The errors of a consent that ends without a connection. */
export type ConsentFailures = Readonly<Record<'denied' | 'failed', ErrorCode>>;

export function consentNotConfigured(name: string): AppError {
  return new AppError(NOT_CONFIGURED, `${name} cannot be connected by consent: no client is set up`);
}

export function consentFailure(reason: keyof typeof consentFailures, message: string, cause?: unknown): AppError {
  return new AppError(consentFailures[reason], message, { cause });
}
