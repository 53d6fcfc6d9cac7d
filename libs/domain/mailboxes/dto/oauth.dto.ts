import { type ConsentOf, SESSION_STATUSES, type SessionStatus, toSessionState } from '@domain/oauth';
import { ApiProperty } from '@nestjs/swagger';
import { EmailField, IdField, NameField, UrlField } from '@platform/validation';
import { OAUTH_PROVIDERS, type OAuthProviderName } from '../oauth/oauth-providers';

export class StartOAuthRequest {
  @EmailField({ optional: true, about: 'Address that the vendor suggests for the login.' })
  loginHint?: string;

  @NameField({ optional: true, about: 'Name that recipients see; for a new mailbox.' })
  displayName?: string;

  @IdField({ optional: true, about: 'A mailbox of this provider to authorise again.' })
  mailboxId?: string;

  @UrlField({
    max: 2000,
    optional: true,
    about:
      'Where the browser goes afterwards, with `session` and `status` in the query: https, or this server. ' +
      'Without it the browser shows a short page.',
    example: 'https://app.example.com/mailboxes',
  })
  redirectUrl?: string;
}

/** A consent that was started. */
export class OAuthStartResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', enum: OAUTH_PROVIDERS })
  provider!: OAuthProviderName;

  @ApiProperty({
    type: 'string',
    description: "Address at the vendor. Give it to the mailbox's owner only: it connects theirs to this workspace.",
  })
  authUrl!: string;

  @ApiProperty({ type: 'string', enum: ['pending'] })
  status!: 'pending';

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Time limit for the consent.' })
  expiresAt!: string;
}

/** Why a consent connected no mailbox. */
export class OAuthSessionError {
  @ApiProperty({ type: 'string', example: 'OAUTH_DENIED' })
  code!: string;

  @ApiProperty({ type: 'string' })
  message!: string;
}

/** The state of a consent. */
export class OAuthSessionResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', enum: OAUTH_PROVIDERS })
  provider!: OAuthProviderName;

  @ApiProperty({ type: 'string', enum: SESSION_STATUSES })
  status!: SessionStatus;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The connected mailbox, or the one to authorise again.',
  })
  mailboxId!: string | null;

  @ApiProperty({ type: OAuthSessionError, nullable: true })
  error!: OAuthSessionError | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  expiresAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

export function toOAuthStart(
  { _id, name, expiresAt }: ConsentOf<OAuthProviderName>,
  authUrl: string,
): OAuthStartResponse {
  return { _id: _id.toHexString(), provider: name, authUrl, status: 'pending', expiresAt: expiresAt.toISOString() };
}

export function toOAuthSession(record: ConsentOf<OAuthProviderName>, now: Date): OAuthSessionResponse {
  const mailboxId = record.mailboxId?.toHexString() ?? null;
  return { provider: record.name, mailboxId, ...toSessionState(record, now) };
}
