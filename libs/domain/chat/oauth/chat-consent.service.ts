import { ChatPort } from '@adapters/chat';
import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import {
  consentNotConfigured,
  consentRedirect,
  type IntegrationOAuthSessionResponse,
  type IntegrationOAuthStartResponse,
  OAuthConsentSessionsService,
  type StartIntegrationOAuthRequest,
  toIntegrationOAuthSession,
  toIntegrationOAuthStart,
} from '@domain/oauth';
import { slackRedirectUri } from './slack-redirect';

/** Sends a person to Slack to let us in. */
@Injectable()
export class ChatConsentService {
  constructor(
    private readonly chat: ChatPort,
    private readonly sessions: OAuthConsentSessionsService,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  /**
   * The address at Slack where consent is given, and the session in which the outcome will be found.
   * @throws INTEGRATION_OAUTH_NOT_CONFIGURED, VALIDATION_ERROR
   */
  async start(workspace: WorkspaceScope, input: StartIntegrationOAuthRequest): Promise<IntegrationOAuthStartResponse> {
    if (!this.chat.offersConsent) throw consentNotConfigured('slack');
    const redirectUrl = consentRedirect(input.redirectUrl, this.config.publicUrl);
    const { record, state } = await this.sessions.open(workspace, { name: 'slack', site: null, redirectUrl });
    const authUrl = this.chat.consentUrl({ state, redirectUri: slackRedirectUri(this.config.publicUrl) });
    return toIntegrationOAuthStart(record, authUrl);
  }

  /** @throws NOT_FOUND */
  async session(workspace: WorkspaceScope, sessionId: string): Promise<IntegrationOAuthSessionResponse> {
    return toIntegrationOAuthSession(await this.sessions.get(workspace, ['slack'], sessionId), this.clock.now());
  }
}
