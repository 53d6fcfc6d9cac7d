import { CrmPort, type CrmType } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { type CallbackParameters } from '@platform/oauth';
import { type ClaimedConsent, consentCode, consentFailure } from '@domain/oauth';
import { getProof, type ProvenAccount } from '../connections/verified-account';
import { grantedBaseUrl, getTokenUrl } from './crm-addresses';
import { CrmOAuthClient } from './crm-oauth.client';
import { consentVendor, crmRedirectUri } from './crm-vendors';

/** A token without one to renew it with has to live for longer: half a year. */
const LASTING_MS = 180 * 86_400_000;

/** Tries what was consented to before anything is stored. */
@Injectable()
export class CrmConsentProofService {
  constructor(
    private readonly crms: CrmPort,
    private readonly client: CrmOAuthClient,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Exchanges the code of a consent and opens the account with what it gave.
   * @throws INTEGRATION_CONSENT_DENIED, INTEGRATION_CONSENT_FAILED, CrmError when the vendor refuses or cannot be reached
   */
  async account(
    type: CrmType,
    { consent: { site }, verifier }: ClaimedConsent,
    parameters: CallbackParameters,
  ): Promise<ProvenAccount> {
    const driver = this.crms.driver(type);
    const vendor = consentVendor(this.config, driver);
    const code = consentCode(parameters);
    const tokenUrl = getTokenUrl(vendor, site, parameters);
    const redirectUri = crmRedirectUri(this.config, type);
    const grant = await this.client.exchange(vendor, tokenUrl, { code, verifier, redirectUri });
    const { accessToken, expiresAt, refreshToken } = grant;
    // Some vendors give one token for good (Attio), and none to renew it with.
    if (refreshToken === null && expiresAt < this.clock.in(LASTING_MS)) {
      throw consentFailure('failed', 'The vendor gave no lasting access; start again');
    }
    const baseUrl = grantedBaseUrl(vendor, grant.answer);
    const auth = { kind: 'token', token: () => Promise.resolve(accessToken) } as const;
    const proof = await getProof(driver.open({ type, baseUrl, auth }));
    const scopes = grant.scopes ?? vendor.consent.scopes;
    return {
      way: 'consent',
      ...proof,
      baseUrl,
      tokenUrl,
      scopes,
      credentials: { accessToken, expiresAt, refreshToken },
    };
  }
}
