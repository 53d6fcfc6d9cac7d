export { type ConsentOutcome, consentCode, consentOutcome, consentRedirect, scopeOfConsent } from './consent-outcome';
export {
  IntegrationOAuthSessionResponse,
  IntegrationOAuthStartResponse,
  StartIntegrationOAuthRequest,
  toIntegrationOAuthSession,
  toIntegrationOAuthStart,
} from './consent.dto';
export { consentFailure, consentFailures, consentNotConfigured } from './consent.errors';
export { BATCH, IDLE_MS, checkIdle } from './idle-connection-check';
export { type ClaimedConsent, OAuthConsentSessionsService, type OpenedConsent } from './oauth-consent-sessions.service';
export { OAuthModule } from './oauth.module';
export { OAuthConsentRecord } from './schemas/oauth-consent.record';
