import { type Config } from '@platform/config';
import { oauthNotConfigured } from '../mailbox-oauth.errors';

/** Vendors whose mailboxes are connected by consent. */
export const OAUTH_PROVIDERS = ['google', 'microsoft'] as const;
export type OAuthProviderName = (typeof OAUTH_PROVIDERS)[number];

export const isOAuthProvider = (name: string): name is OAuthProviderName =>
  (OAUTH_PROVIDERS as readonly string[]).includes(name);

/** All mail of a mailbox; the only scope that covers sending, reading, moving and XOAUTH2. */
export const GMAIL_SCOPE = 'https://mail.google.com/';

/** The OAuth settings of a vendor. */
export interface OAuthProvider {
  readonly name: OAuthProviderName;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  /** The requested scopes. */
  readonly scopes: readonly string[];
  /** The scopes that mail needs; people may deselect some. */
  readonly neededScopes: readonly string[];
  /** Further parameters of the vendor's consent address. */
  readonly authParameters: Readonly<Record<string, string>>;
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

/** The callback address, which must be registered with the vendor. */
export function getRedirectUri(config: Config, name: OAuthProviderName): string {
  return `${removeTrailingSlash(config.publicUrl)}/oauth/${name}/callback`;
}

function toGoogleProvider(config: Config): OAuthProvider {
  return {
    name: 'google',
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
    name: 'microsoft',
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

function removeTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
