import { ApiProperty } from '@nestjs/swagger';
import { UrlField } from '@platform/validation';
import { INTEGRATION_NAMES, type IntegrationName } from './consent-name';
import { type ConsentOf, type OAuthConsentRecord } from './schemas/oauth-consent.record';

export const SESSION_STATUSES = ['pending', 'completed', 'failed', 'expired'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

const MAX_URL = 2_000;

export class StartIntegrationOAuthRequest {
  @UrlField({
    max: MAX_URL,
    optional: true,
    about:
      'Where the browser goes afterwards, with `session` and `status` in the query: https, or this server. ' +
      'Without it the browser shows a short page.',
    example: 'https://app.example.com/integrations',
  })
  redirectUrl?: string;
}

/** A consent that was started. */
export class IntegrationOAuthStartResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', enum: INTEGRATION_NAMES })
  name!: IntegrationName;

  @ApiProperty({
    type: 'string',
    description: 'Address at the vendor. Give it to an administrator of the account only: it connects theirs.',
  })
  authUrl!: string;

  @ApiProperty({ type: 'string', enum: ['pending'] })
  status!: 'pending';

  @ApiProperty({ type: 'string', format: 'date-time', description: 'The time by which the person must return.' })
  expiresAt!: string;
}

/** Why a consent connected nothing. */
export class IntegrationOAuthError {
  @ApiProperty({ type: 'string', example: 'INTEGRATION_CONSENT_DENIED' })
  code!: string;

  @ApiProperty({ type: 'string' })
  message!: string;
}

/** The outcome of a consent. */
export class IntegrationOAuthSessionResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', enum: INTEGRATION_NAMES })
  name!: IntegrationName;

  @ApiProperty({ type: 'string', enum: SESSION_STATUSES })
  status!: SessionStatus;

  @ApiProperty({ type: IntegrationOAuthError, nullable: true })
  error!: IntegrationOAuthError | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  expiresAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

export function toIntegrationOAuthStart(
  { _id, name, expiresAt }: ConsentOf<IntegrationName>,
  authUrl: string,
): IntegrationOAuthStartResponse {
  return { _id: _id.toHexString(), name, authUrl, status: 'pending', expiresAt: expiresAt.toISOString() };
}

export function toIntegrationOAuthSession(
  record: ConsentOf<IntegrationName>,
  now: Date,
): IntegrationOAuthSessionResponse {
  return { name: record.name, ...toSessionState(record, now) };
}

/** What all consents have in common. */
export function toSessionState(record: OAuthConsentRecord, now: Date) {
  return {
    _id: record._id.toHexString(),
    status: getSessionStatus(record, now),
    error: record.error && { code: record.error.code, message: record.error.message },
    expiresAt: record.expiresAt.toISOString(),
    createdAt: record.createdAt.toISOString(),
  };
}

/** A consent that never completes expires. */
function getSessionStatus({ status, expiresAt }: OAuthConsentRecord, now: Date): SessionStatus {
  if (status === 'completed' || status === 'failed') return status;
  return expiresAt <= now ? 'expired' : 'pending';
}
