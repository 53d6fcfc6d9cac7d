import { type Config } from '@platform/config';
import { oauthNotConfigured } from '../mailbox-oauth.errors';

/** Vendors whose mailboxes are connected by consent. */
export const OAUTH_PROVIDERS = ['google', 'microsoft'] as const;
export type OAuthProviderName = (typeof OAUTH_PROVIDERS)[number];

export const isOAuthProvider = (name: string): name is OAuthProviderName =>
  (OAUTH_PROVIDERS as readonly string[]).includes(name);

/** All mail of a mailbox; the one scope that covers sending, reading, moving and XOAUTH2. */
export const GMAIL_SCOPE = 'https://mail.google.com/';

/** What the vendors want to know of us and we of them. */
export interface OAuthProvider {
  readonly name: OAuthProviderName;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  /** Asked for. */
  readonly scopes: readonly string[];
  /** Without these the mailbox cannot be worked with; people may untick some. */
  readonly neededScopes: readonly string[];
  /** Further parameters of the address at which people consent. */
  readonly authParameters: Readonly<Record<string, string>>;
  /** Answers with the address of the mailbox that a token opens. */
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

/** Where the vendors send people back to; it has to be registered with them. */
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
    // Google gives a refresh token only when it asks anew, and only for offline access.
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
