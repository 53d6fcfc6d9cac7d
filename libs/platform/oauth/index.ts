export { type CallbackParameters, returnedCode } from './authorization-callback';
export { type ConsentSecrets, consentSecrets, getStateHash } from './authorization-state';
export { type Grant, type GrantAnswer, isGrantRevoked, readGrant } from './token-response';
export { redirectTarget, redirectWith } from './redirect-target';
export { TokenRefreshCoalescer, type TokenSource } from './token-refresh-coalescer';
