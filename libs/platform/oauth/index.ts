export { type CallbackParameters, returnedCode } from './callback.code';
export { type ConsentSecrets, consentSecrets, stateHashOf } from './consent.state';
export { type Grant, type GrantAnswer, isGrantGone, readGrant } from './grant.answer';
export { redirectTarget, redirectWith } from './redirect.target';
export { TokenFlights, type TokenSource } from './token.flights';
