import { ChatPort, ChatError, type ChatGrant } from '@adapters/chat';
import { type WorkspaceScope } from '@domain/access';
import {
  consentCode,
  consentFailure,
  consentFailures,
  consentOutcome,
  type ConsentOutcome,
  type OAuthConsentRecord,
  OAuthConsentSessionsService,
  consentNotConfigured,
  consentRedirect,
  type IntegrationOAuthSessionResponse,
  type IntegrationOAuthStartResponse,
  type StartIntegrationOAuthRequest,
  toIntegrationOAuthSession,
  toIntegrationOAuthStart,
  scopeOfConsent,
} from '@domain/oauth';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { isDatabaseUnavailable, TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { type CallbackParameters } from '@platform/oauth';
import { LogService } from '@platform/observability';
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
    private readonly log: LogService,
    private readonly clock: ClockPort,
    private readonly connections: ChatConnectionRepository,
    private readonly channels: ChatChannelsService,
    private readonly partitions: ChatWorkPartitionService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Uses the state, then the code, and connects the workspace of the state. After a crash only a session remains, which expires.
   */
  async handleCallback(parameters: CallbackParameters): Promise<ConsentOutcome> {
    const claimed = await this.sessions.claim('slack', parameters['state']);
    if (!claimed) return { status: 'unknown' };
    const { consent } = claimed;
    try {
      const grant = await this.#exchangeCode(parameters);
      await this.#saveGrant(consent, grant);
      return consentOutcome(consent, 'completed', grant.team.name);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      const failure = this.#toSessionFailure(error, consent);
      await this.sessions.fail(consent, failure);
      return consentOutcome(consent, 'failed', failure.message);
    }
  }

  /**
   * Returns the consent address at Slack and the session that will hold the outcome.
   * @throws INTEGRATION_OAUTH_NOT_CONFIGURED, VALIDATION_ERROR
   */
  async start(workspace: WorkspaceScope, input: StartIntegrationOAuthRequest): Promise<IntegrationOAuthStartResponse> {
    if (!this.chat.offersConsent) throw consentNotConfigured('slack');
    const redirectUrl = consentRedirect(input.redirectUrl, this.config.publicUrl);
    const { record, state } = await this.sessions.open(workspace, { name: 'slack', site: null, redirectUrl });
    const authUrl = this.chat.consentUrl({ state, redirectUri: getSlackRedirectUri(this.config.publicUrl) });
    return toIntegrationOAuthStart(record, authUrl);
  }

  /** @throws NOT_FOUND */
  async session(workspace: WorkspaceScope, sessionId: string): Promise<IntegrationOAuthSessionResponse> {
    return toIntegrationOAuthSession(await this.sessions.get(workspace, ['slack'], sessionId), this.clock.now());
  }

  async #exchangeCode(parameters: CallbackParameters): Promise<ChatGrant> {
    const redirectUri = getSlackRedirectUri(this.config.publicUrl);
    const grant = await this.chat.exchange({ code: consentCode(parameters), redirectUri });
    if (this.chat.scopes.some((scope) => !grant.scopes.includes(scope))) {
      throw consentFailure(
        'failed',
        'The Slack app does not have the scopes of docs/users/reports.md; the operator has to add them',
      );
    }
    if (!grant.expires) return grant;
    throw consentFailure('failed', 'The Slack app has token rotation switched on; the operator has to use one without');
  }

  /** What the session stores of a failure: our own messages, never input of the browser. */
  #toSessionFailure(error: unknown, { _id }: OAuthConsentRecord): { code: string; message: string } {
    const sessionId = _id.toHexString();
    const known = error instanceof ChatError ? consentFailure('failed', error.message) : error;
    if (known instanceof AppError && known.type.kind !== 'unavailable') {
      const { code, message } = known;
      this.log.info('A consent connected nothing', { sessionId, name: 'slack', reason: code });
      return { code, message };
    }
    this.log.error('A consent could not be completed', error, { sessionId, name: 'slack' });
    return { code: consentFailures.failed.code, message: 'Something went wrong on our side; start again' };
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
