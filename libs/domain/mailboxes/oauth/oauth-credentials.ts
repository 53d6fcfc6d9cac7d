import { type SecretBoxService } from '@platform/secrets';
import { type Types } from 'mongoose';
import { secretOwner } from '../mailbox-secrets';
import { type OAuthCredentials } from '../schemas/mailbox.record';
import { type Grant } from './oauth-answer';
import { GMAIL_SCOPE } from './oauth-providers';
import { type ServiceAccountKey, serviceAccountKeyText } from './service-account-key';

/** A proven grant on its way into the database: sealed once it is known for which mailbox. */
export type SealCredentials = (workspaceId: Types.ObjectId | string, mailboxId: Types.ObjectId) => SealedCredentials;
export type SealedCredentials = Omit<OAuthCredentials, 'version'>;

/** What a person's consent gave. @throws TypeError when it has no refresh token */
export function consentCredentials(box: SecretBoxService, grant: Grant, asked: readonly string[]): SealCredentials {
  const { refreshToken } = grant;
  if (refreshToken === null) throw new TypeError('A consent without a refresh token cannot be kept');
  return (workspaceId, mailboxId) => ({
    kind: 'consent',
    refreshToken: box.seal(refreshToken, secretOwner(workspaceId, mailboxId, 'refreshToken')),
    serviceAccountKey: null,
    ...sealedToken(box, grant, workspaceId, mailboxId),
    scopes: [...(grant.scopes ?? asked)],
  });
}

/** A service account's key, and the first token that it gave. */
export function serviceAccountCredentials(
  box: SecretBoxService,
  grant: Grant,
  key: ServiceAccountKey,
): SealCredentials {
  return (workspaceId, mailboxId) => ({
    kind: 'service_account',
    refreshToken: null,
    serviceAccountKey: box.seal(serviceAccountKeyText(key), secretOwner(workspaceId, mailboxId, 'serviceAccountKey')),
    ...sealedToken(box, grant, workspaceId, mailboxId),
    scopes: [GMAIL_SCOPE],
  });
}

function sealedToken(
  box: SecretBoxService,
  { accessToken, expiresAt }: Grant,
  workspaceId: Types.ObjectId | string,
  mailboxId: Types.ObjectId,
) {
  return {
    accessToken: box.seal(accessToken, secretOwner(workspaceId, mailboxId, 'accessToken')),
    accessTokenExpiresAt: expiresAt,
  };
}
