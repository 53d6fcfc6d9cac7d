import { ChatPort, ChatError, type ChatGrant } from '@adapters/chat';
import { type WorkspaceScope } from '@domain/access';
import {
  consentFailure,
  consentFailures,
  consentNotConfigured,
  type ConsentOutcome,
  consentRedirect,
  type IntegrationOAuthSessionResponse,
  type IntegrationOAuthStartResponse,
  type OAuthConsentRecord,
  OAuthConsentSessionsService,
  scopeOfConsent,
  type StartIntegrationOAuthRequest,
  toIntegrationOAuthSession,
  toIntegrationOAuthStart,
} from '@domain/oauth';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { TransactionService } from '@platform/database';
import { type CallbackParameters } from '@platform/oauth';
import { ChatWorkPartitionService } from '../delivery/chat-work-partition.service';
import { ChatConnectionRepository } from '../settings/chat-connection.repository';
import { ChatChannelsService } from '../settings/chat-channels.service';
import { getSlackRedirectUri } from './slack-redirect';

/** The OAuth consent for Slack: start, session and callback. */
@Injectable()
export class ChatOAuthService {
  constructor(
    private readonly chat: ChatPort,
    private readonly sessions: OAuthConsentSessionsService,
    private readonly config: Config,
    private readonly clock: ClockPort,
    private readonly connections: ChatConnectionRepository,
    private readonly channels: ChatChannelsService,
    private readonly partitions: ChatWorkPartitionService,
    private readonly transactions: TransactionService,
  ) {}

  /** Connects the workspace of the state; every failure is an outcome. */
  async handleCallback(parameters: CallbackParameters): Promise<ConsentOutcome> {
    return this.sessions.handleCallback('slack', parameters, {
      failures: consentFailures,
      vendorError: ChatError,
      connect: async ({ consent, code }) => {
        const grant = await this.#exchangeCode(code);
        await this.#saveGrant(consent, grant);
        return grant.team.name;
      },
    });
  }

  /**
   * Returns the consent address at Slack and the session that will hold the outcome.
   * @throws INTEGRATION_OAUTH_NOT_CONFIGURED, VALIDATION_ERROR
   */
  async start(workspace: WorkspaceScope, input: StartIntegrationOAuthRequest): Promise<IntegrationOAuthStartResponse> {
    if (!this.chat.offersConsent) throw consentNotConfigured('slack');
    const redirectUrl = consentRedirect(input.redirectUrl, this.config.publicUrl);
    const { record, state } = await this.sessions.open(workspace, { name: 'slack', redirectUrl });
    const authUrl = await this.chat.consentUrl({ state, redirectUri: getSlackRedirectUri(this.config.publicUrl) });
    return toIntegrationOAuthStart(record, authUrl);
  }

  /** @throws NOT_FOUND */
  async session(workspace: WorkspaceScope, sessionId: string): Promise<IntegrationOAuthSessionResponse> {
    return toIntegrationOAuthSession(await this.sessions.get(workspace, ['slack'], sessionId), this.clock.now());
  }

  async #exchangeCode(code: string): Promise<ChatGrant> {
    const redirectUri = getSlackRedirectUri(this.config.publicUrl);
    const grant = await this.chat.exchange({ code, redirectUri });
    if (this.chat.scopes.some((scope) => !grant.scopes.includes(scope))) {
      throw consentFailure(
        'failed',
        'The Slack app does not have the scopes of docs/users/reports.md; the operator has to add them',
      );
    }
    if (!grant.expires) return grant;
    throw consentFailure('failed', 'The Slack app has token rotation switched on; the operator has to use one without');
  }

  /**
   * Saves the grant and completes the session in one transaction. Settings stay; the channel stays within the same
   * Slack workspace.
   * @throws CONFLICT when the chat was changed meanwhile
   */
  async #saveGrant(consent: OAuthConsentRecord, { token, team }: ChatGrant): Promise<void> {
    const workspace = scopeOfConsent(consent);
    const before = await this.connections.find(workspace.workspaceId);
    const isSame = before?.authMethod === 'consent' && before.teamId === team.id;
    const access = { authMethod: 'consent' as const, secret: token, teamId: team.id, teamName: team.name };
    await this.transactions.run(async () => {
      const channel = isSame ? {} : { channel: null };
      await this.connections.save(workspace, before, { access, ...channel, isReached: true });
      await this.sessions.complete(consent);
    });
    await this.partitions.enqueue([workspace.workspaceId]);
    // Slack has one bot token per app and workspace: revoking the previous one would revoke the new one.
    if (before && !isSame) await this.channels.revokeToken(before);
  }
}
