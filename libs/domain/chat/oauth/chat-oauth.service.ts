import { ChatPort, ChatError, type ChatGrant } from '@adapters/chat';
import { Injectable } from '@nestjs/common';
import { Config } from '@platform/config';
import { isDatabaseUnavailable } from '@platform/database';
import { AppError } from '@platform/errors';
import { LogService } from '@platform/observability';
import { type CallbackParameters } from '@platform/oauth';
import {
  consentCode,
  consentFailure,
  consentFailures,
  consentOutcome,
  type ConsentOutcome,
  type OAuthConsentRecord,
  OAuthConsentSessionsService,
} from '@domain/oauth';
import { ChatAccessGrantsService } from './chat-access-grants.service';
import { slackRedirectUri } from './slack-redirect';

/** Takes people in who come back from Slack. */
@Injectable()
export class ChatOAuthService {
  constructor(
    private readonly chat: ChatPort,
    private readonly sessions: OAuthConsentSessionsService,
    private readonly grants: ChatAccessGrantsService,
    private readonly config: Config,
    private readonly log: LogService,
  ) {}

  /**
   * Uses the state up, then the code, and connects the workspace that the state belongs to. A process that dies on the way leaves a
   * session that runs out, and nothing else.
   */
  async handleCallback(parameters: CallbackParameters): Promise<ConsentOutcome> {
    const claimed = await this.sessions.claim('slack', parameters['state']);
    if (!claimed) return { status: 'unknown' };
    const { consent } = claimed;
    try {
      const grant = await this.#grant(parameters);
      await this.grants.save(consent, grant);
      return consentOutcome(consent, 'completed', grant.team.name);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      const failure = this.#described(error, consent);
      await this.sessions.fail(consent, failure);
      return consentOutcome(consent, 'failed', failure.message);
    }
  }

  async #grant(parameters: CallbackParameters): Promise<ChatGrant> {
    const redirectUri = slackRedirectUri(this.config.publicUrl);
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

  /** What the session keeps of a failure: sentences of ours, never what the browser brought along. */
  #described(error: unknown, { _id }: OAuthConsentRecord): { code: string; message: string } {
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
}
