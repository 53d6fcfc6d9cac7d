import { CRM_TYPES, CrmPort } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import {
  consentRedirect,
  type IntegrationOAuthSessionResponse,
  type IntegrationOAuthStartResponse,
  OAuthConsentSessionsService,
  toIntegrationOAuthSession,
  toIntegrationOAuthStart,
} from '@domain/oauth';
import { type StartCrmOAuthRequest } from '../connections/dto/crm-oauth-requests.dto';
import { crmNamed } from '../parse-crm-type';
import { consentUrl } from './consent-url';
import { loginSite } from './crm-addresses';
import { consentVendor, crmRedirectUri } from './crm-vendors';

/** Sends people to the vendors of CRMs to connect their account, and tells how it went. */
@Injectable()
export class CrmOAuthService {
  constructor(
    private readonly crms: CrmPort,
    private readonly sessions: OAuthConsentSessionsService,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  /**
   * The address at the vendor where consent is given, and the session in which the outcome will be found. Whoever consents connects
   * their account to this workspace: hand the address to an administrator of it only.
   * @throws NOT_FOUND for no CRM, INTEGRATION_OAUTH_NOT_CONFIGURED, VALIDATION_ERROR
   */
  async start(
    workspace: WorkspaceScope,
    name: string,
    input: StartCrmOAuthRequest,
  ): Promise<IntegrationOAuthStartResponse> {
    const type = crmNamed(name);
    const vendor = consentVendor(this.config, this.crms.driver(type));
    const opened = await this.sessions.open(workspace, {
      name: type,
      site: loginSite(vendor, input.accountUrl),
      redirectUrl: consentRedirect(input.redirectUrl, this.config.publicUrl),
    });
    return toIntegrationOAuthStart(opened.record, consentUrl(vendor, crmRedirectUri(this.config, type), opened));
  }

  /** @throws NOT_FOUND */
  async session(workspace: WorkspaceScope, sessionId: string): Promise<IntegrationOAuthSessionResponse> {
    return toIntegrationOAuthSession(await this.sessions.get(workspace, CRM_TYPES, sessionId), this.clock.now());
  }
}
