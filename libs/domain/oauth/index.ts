export { MAILBOX_VENDORS } from './consent-name';
export { type ConsentOutcome, consentRedirect, scopeOfConsent } from './consent-outcome';
export {
  IntegrationOAuthSessionResponse,
  IntegrationOAuthStartResponse,
  SESSION_STATUSES,
  type SessionStatus,
  StartIntegrationOAuthRequest,
  toIntegrationOAuthSession,
  toIntegrationOAuthStart,
  toSessionState,
} from './consent.dto';
export { consentFailure, consentFailures, consentNotConfigured } from './consent.errors';
export { BATCH, IDLE_MS, checkIdle } from './idle-connection-check';
export { OAuthConsentSessionsService, type ReturnedConsent } from './oauth-consent-sessions.service';
export { OAuthModule } from './oauth.module';
export { type ConsentOf, OAuthConsentRecord } from './schemas/oauth-consent.record';
