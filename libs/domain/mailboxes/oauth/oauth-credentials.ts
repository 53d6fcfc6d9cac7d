import { type Grant } from '@platform/oauth';
import { type SecretBoxService } from '@platform/secrets';
import { type Types } from 'mongoose';
import { getMailboxSecretOwner } from '../mailbox-secrets';
import { type OAuthCredentials } from '../schemas/mailbox.record';
import { GMAIL_SCOPE } from './oauth-providers';
import { type ServiceAccountKey, toServiceAccountKeyText } from './service-account-key';

/** Seals a verified grant once the id of its mailbox is known. */
export type SealCredentials = (workspaceId: Types.ObjectId | string, mailboxId: Types.ObjectId) => NewOAuthCredentials;
export type NewOAuthCredentials = Omit<OAuthCredentials, 'version'>;

/** The credentials of a consent. @throws TypeError without a refresh token */
export function createConsentCredentials(
  box: SecretBoxService,
  grant: Grant,
  requested: readonly string[],
): SealCredentials {
  const { refreshToken } = grant;
  if (refreshToken === null) throw new TypeError('A consent without a refresh token cannot be stored');
  return (workspaceId, mailboxId) => ({
    kind: 'consent',
    refreshToken: box.seal(refreshToken, getMailboxSecretOwner(workspaceId, mailboxId, 'refreshToken')),
    serviceAccountKey: null,
    ...sealToken(box, grant, workspaceId, mailboxId),
    scopes: [...(grant.scopes ?? requested)],
  });
}

/** The key of a service account and its first token. */
export function createServiceAccountCredentials(
  box: SecretBoxService,
  grant: Grant,
  key: ServiceAccountKey,
): SealCredentials {
  return (workspaceId, mailboxId) => ({
    kind: 'service_account',
    refreshToken: null,
    serviceAccountKey: box.seal(
      toServiceAccountKeyText(key),
      getMailboxSecretOwner(workspaceId, mailboxId, 'serviceAccountKey'),
    ),
    ...sealToken(box, grant, workspaceId, mailboxId),
    scopes: [GMAIL_SCOPE],
  });
}

function sealToken(
  box: SecretBoxService,
  { accessToken, expiresAt }: Grant,
  workspaceId: Types.ObjectId | string,
  mailboxId: Types.ObjectId,
) {
  return {
    accessToken: box.seal(accessToken, getMailboxSecretOwner(workspaceId, mailboxId, 'accessToken')),
    accessTokenExpiresAt: expiresAt,
  };
}
