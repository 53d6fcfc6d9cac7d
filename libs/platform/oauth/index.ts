export { type CallbackParameters, returnedCode } from './authorization-callback';
export { type ConsentSecrets, consentSecrets, getStateHash } from './authorization-state';
export { OAuthError, isGrantRevoked } from './oauth.errors';
export { type Grant, OAuthClient } from './oauth.client';
export { type OAuthDialect, type OAuthVendor } from './oauth-vendor';
export { redirectTarget, redirectWith } from './redirect-target';
export { TokenRefreshCoalescer, type TokenSource } from './token-refresh-coalescer';
