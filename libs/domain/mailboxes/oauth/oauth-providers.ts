import { MAILBOX_VENDORS } from '@domain/oauth';
import { type Config } from '@platform/config';
import { type OAuthVendor } from '@platform/oauth';
import { oauthNotConfigured } from '../mailbox-oauth.errors';

export const OAUTH_PROVIDERS = MAILBOX_VENDORS;
export type OAuthProviderName = (typeof OAUTH_PROVIDERS)[number];

export const isOAuthProvider = (name: string): name is OAuthProviderName =>
  (OAUTH_PROVIDERS as readonly string[]).includes(name);

/** All mail of a mailbox; the only scope that covers sending, reading, moving and XOAUTH2. */
export const GMAIL_SCOPE = 'https://mail.google.com/';

/** The OAuth settings of a vendor. */
export interface OAuthProvider extends OAuthVendor {
  /** The scopes that mail needs; people may deselect some. */
  readonly neededScopes: readonly string[];
  /** Returns the address of the mailbox that a token opens. */
  readonly profileUrl: string;
}

/** @throws OAUTH_NOT_CONFIGURED when the operator has registered no client with the vendor */
export function getOAuthProvider(config: Config, name: OAuthProviderName): OAuthProvider {
  if (!isConfigured(config, name)) throw oauthNotConfigured(name);
  return name === 'google' ? toGoogleProvider(config) : toMicrosoftProvider(config);
}

/** Whether the operator has registered a client with the vendor. */
export function isConfigured(config: Config, name: OAuthProviderName): boolean {
  return (name === 'google' ? config.googleClientId : config.microsoftClientId) !== '';
}

/** Assumed lifetime of an access token in seconds when the server omits it. */
export const UNKNOWN_LIFETIME_S = 300;

const PROTOCOL = {
  scopeSeparator: ' ',
  clientAuth: 'body',
  hasProofKey: true,
  defaultLifeSeconds: UNKNOWN_LIFETIME_S,
} as const;

function toGoogleProvider(config: Config): OAuthProvider {
  return {
    ...PROTOCOL,
    redirectUri: getRedirectUri(config, 'google'),
    clientId: config.googleClientId,
    clientSecret: config.googleClientSecret,
    authUrl: config.googleAuthUrl,
    tokenUrl: config.googleTokenUrl,
    scopes: [GMAIL_SCOPE],
    neededScopes: [GMAIL_SCOPE],
    // Google issues a refresh token only after a new prompt, and only for offline access.
    authParameters: { access_type: 'offline', prompt: 'consent' },
    profileUrl: `${removeTrailingSlash(config.gmailApiUrl)}/gmail/v1/users/me/profile`,
  };
}

function toMicrosoftProvider(config: Config): OAuthProvider {
  const authority = removeTrailingSlash(config.microsoftAuthorityUrl);
  return {
    ...PROTOCOL,
    redirectUri: getRedirectUri(config, 'microsoft'),
    clientId: config.microsoftClientId,
    clientSecret: config.microsoftClientSecret,
    authUrl: `${authority}/oauth2/v2.0/authorize`,
    tokenUrl: `${authority}/oauth2/v2.0/token`,
    scopes: ['offline_access', 'User.Read', 'Mail.ReadWrite', 'Mail.Send'],
    neededScopes: ['User.Read', 'Mail.ReadWrite', 'Mail.Send'],
    authParameters: { response_mode: 'query', prompt: 'select_account' },
    profileUrl: `${removeTrailingSlash(config.graphApiUrl)}/me?$select=mail,userPrincipalName`,
  };
}

/** The callback address, which must be registered with the vendor. */
function getRedirectUri(config: Config, name: OAuthProviderName): string {
  return `${removeTrailingSlash(config.publicUrl)}/oauth/${name}/callback`;
}

function removeTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
