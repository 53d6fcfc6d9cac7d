import { CRM_TYPES, CrmPort, CrmError, type CrmType } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import {
  consentRedirect,
  type IntegrationOAuthSessionResponse,
  type IntegrationOAuthStartResponse,
  OAuthConsentSessionsService,
  toIntegrationOAuthSession,
  toIntegrationOAuthStart,
  type ClaimedConsent,
  consentFailure,
  consentFailures,
  consentOutcome,
  type ConsentOutcome,
  scopeOfConsent,
  consentCode,
} from '@domain/oauth';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { isDatabaseUnavailable, TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { type CallbackParameters } from '@platform/oauth';
import { LogService } from '@platform/observability';
import { type StartCrmOAuthRequest } from '../connections/dto/crm-oauth-requests.dto';
import { parseCrmType } from '../parse-crm-type';
import { CrmConnectionSettingsService } from '../connections/crm-connection-settings.service';
import { readAccount, type VerifiedAccount } from '../connections/verified-account';
import { createConsentUrl } from './consent-url';
import { getLoginSite, getGrantedBaseUrl, getTokenUrl } from './crm-addresses';
import { requireConsentVendor, getCrmRedirectUri } from './crm-vendors';
import { CrmOAuthClient } from './crm-oauth.client';

/** Minimum lifetime of a token without a refresh token: half a year. */
const MIN_LIFETIME_MS = 180 * 86_400_000;

/** The OAuth consent for CRMs: start, session and callback. */
@Injectable()
export class CrmOAuthService {
  constructor(
    private readonly crms: CrmPort,
    private readonly sessions: OAuthConsentSessionsService,
    private readonly config: Config,
    private readonly clock: ClockPort,
    private readonly connections: CrmConnectionSettingsService,
    private readonly transactions: TransactionService,
    private readonly log: LogService,
    private readonly client: CrmOAuthClient,
  ) {}

  /**
   * Returns the consent address and the session that will hold the outcome. The consenting account is connected to
   * this workspace: give the address to an administrator only.
   * @throws NOT_FOUND for no CRM, INTEGRATION_OAUTH_NOT_CONFIGURED, VALIDATION_ERROR
   */
  async start(
    workspace: WorkspaceScope,
    name: string,
    input: StartCrmOAuthRequest,
  ): Promise<IntegrationOAuthStartResponse> {
    const type = parseCrmType(name);
    const vendor = requireConsentVendor(this.config, this.crms.driver(type));
    const opened = await this.sessions.open(workspace, {
      name: type,
      site: getLoginSite(vendor, input.accountUrl),
      redirectUrl: consentRedirect(input.redirectUrl, this.config.publicUrl),
    });
    return toIntegrationOAuthStart(
      opened.record,
      createConsentUrl(vendor, getCrmRedirectUri(this.config, type), opened),
    );
  }

  /** @throws NOT_FOUND */
  async session(workspace: WorkspaceScope, sessionId: string): Promise<IntegrationOAuthSessionResponse> {
    return toIntegrationOAuthSession(await this.sessions.get(workspace, CRM_TYPES, sessionId), this.clock.now());
  }

  /**
   * Uses the state, then the code, and connects the account; session, connection and audit entry are written
   * together. After a crash only a session remains, which expires.
   * @throws NOT_FOUND for no CRM; everything else is the outcome
   */
  async handleCallback(name: string, parameters: CallbackParameters): Promise<ConsentOutcome> {
    const type = parseCrmType(name);
    const claimed = await this.sessions.claim(type, parameters['state']);
    if (!claimed) return { status: 'unknown' };
    const { consent } = claimed;
    try {
      return consentOutcome(consent, 'completed', await this.#connect(type, claimed, parameters));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      const failure = this.#toSessionFailure(error, type, consent._id.toHexString());
      await this.sessions.fail(consent, failure);
      return consentOutcome(consent, 'failed', failure.message);
    }
  }

  /** @returns name of the account */
  async #connect(type: CrmType, claimed: ClaimedConsent, parameters: CallbackParameters): Promise<string> {
    const account = await this.#verifyAccount(type, claimed, parameters);
    await this.transactions.run(async () => {
      await this.connections.save(scopeOfConsent(claimed.consent), type, account);
      await this.sessions.complete(claimed.consent);
    });
    return account.identity.accountName;
  }

  /** What the session stores of a failure: our own messages, never input of the browser. */
  #toSessionFailure(error: unknown, crm: CrmType, sessionId: string): { code: string; message: string } {
    const known = error instanceof CrmError ? consentFailure('failed', error.message) : error;
    if (known instanceof AppError && known.type.kind !== 'unavailable') {
      const { code, message } = known;
      this.log.info('A consent connected no CRM', { sessionId, crm, reason: code });
      return { code, message };
    }
    this.log.error('A consent could not be completed', error, { sessionId, crm });
    return { code: consentFailures.failed.code, message: 'Something went wrong on our side; start again' };
  }

  /**
   * Exchanges the code of a consent and verifies the account.
   * @throws INTEGRATION_CONSENT_DENIED, INTEGRATION_CONSENT_FAILED, CrmError
   */
  async #verifyAccount(
    type: CrmType,
    { consent: { site }, verifier }: ClaimedConsent,
    parameters: CallbackParameters,
  ): Promise<VerifiedAccount> {
    const driver = this.crms.driver(type);
    const vendor = requireConsentVendor(this.config, driver);
    const code = consentCode(parameters);
    const tokenUrl = getTokenUrl(vendor, site, parameters);
    const redirectUri = getCrmRedirectUri(this.config, type);
    const grant = await this.client.exchange(vendor, tokenUrl, { code, verifier, redirectUri });
    const { accessToken, expiresAt, refreshToken } = grant;
    // Some vendors issue one permanent token without a refresh token (Attio).
    if (refreshToken === null && expiresAt < this.clock.in(MIN_LIFETIME_MS)) {
      throw consentFailure('failed', 'The vendor gave no lasting access; start again');
    }
    const baseUrl = getGrantedBaseUrl(vendor, grant.answer);
    const auth = { kind: 'token', token: () => Promise.resolve(accessToken) } as const;
    const proof = await readAccount(driver.open({ type, baseUrl, auth }));
    const scopes = grant.scopes ?? vendor.consent.scopes;
    return {
      authMethod: 'consent',
      ...proof,
      baseUrl,
      tokenUrl,
      scopes,
      credentials: { accessToken, expiresAt, refreshToken },
    };
  }
}
