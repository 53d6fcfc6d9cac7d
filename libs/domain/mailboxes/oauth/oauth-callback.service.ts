import { systemScope, type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { MailError } from '@adapters/mail';
import { isDatabaseUnavailable, TransactionService } from '@platform/database';
import { AppError, notFound } from '@platform/errors';
import { type CallbackParameters, redirectWith, returnedCode } from '@platform/oauth';
import { LogService } from '@platform/observability';
import { oauthFailure, oauthFailures } from '../mailbox-oauth.errors';
import { MailboxHookRegistry } from '../mailbox-hook.registry';
import { type MailboxRecord } from '../schemas/mailbox.record';
import { type OAuthSessionRecord } from '../schemas/oauth-session.record';
import { MailboxGrantService } from './mailbox-grant.service';
import { MailboxGrantProofService } from './mailbox-grant-proof.service';
import { isOAuthProvider } from './oauth-providers';
import { type ClaimedSession, MailboxOAuthSessionRepository } from './mailbox-oauth-session.repository';

/** What the browser that came back is told. `unknown`: its state was never given out, was used before, or is too old. */
export type OAuthOutcome =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'completed' | 'failed';
      /** The connected address, or why nothing was connected. */
      readonly message: string;
      /** Where to send it on; null when it is shown a page. */
      readonly redirectUrl: string | null;
    };

/** Takes people in who come back from the vendor. */
@Injectable()
export class OAuthCallbackService {
  constructor(
    private readonly sessions: MailboxOAuthSessionRepository,
    private readonly proof: MailboxGrantProofService,
    private readonly grants: MailboxGrantService,
    private readonly uses: MailboxHookRegistry,
    private readonly transactions: TransactionService,
    private readonly log: LogService,
  ) {}

  /**
   * Uses the state up, then the code, and connects the mailbox; session, mailbox, event and audit entry are written
   * together. A process that dies on the way leaves a session that runs out, and nothing else.
   * @throws NOT_FOUND for an unknown provider; everything else is the outcome
   */
  async handleCallback(name: string, parameters: CallbackParameters): Promise<OAuthOutcome> {
    if (!isOAuthProvider(name)) throw notFound('OAuth provider');
    const { state } = parameters;
    const claimed = typeof state === 'string' ? await this.sessions.claim(name, state) : null;
    if (!claimed) return { status: 'unknown' };
    const { session } = claimed;
    try {
      const mailbox = await this.#connect(claimed, parameters);
      return toOutcome(session, 'completed', mailbox.email);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      const failure = this.#toFailure(error, session);
      await this.sessions.fail(session, failure);
      return toOutcome(session, 'failed', failure.message);
    }
  }

  async #connect({ session, verifier }: ClaimedSession, parameters: CallbackParameters): Promise<MailboxRecord> {
    const { provider } = session;
    const { addresses, seal } = await this.proof.verifyConsent(provider, { code: requireCode(parameters), verifier });
    const workspace = toScope(session);
    const mailbox = await this.transactions.run(async () => {
      const mailbox = await this.grants.save(workspace, {
        provider,
        addresses,
        seal,
        mailboxId: session.mailboxId?.toHexString() ?? null,
        settings: session.displayName === null ? {} : { displayName: session.displayName },
      });
      await this.sessions.complete(session, mailbox._id);
      return mailbox;
    });
    await this.uses.changed(workspace, mailbox._id.toHexString());
    return mailbox;
  }

  /** What the session keeps of a failure: sentences of ours, never what the browser brought along. */
  #toFailure(error: unknown, { _id, provider }: OAuthSessionRecord): { code: string; message: string } {
    const sessionId = _id.toHexString();
    const known = error instanceof MailError ? oauthFailure('failed', error.message) : error;
    if (known instanceof AppError && known.type.kind !== 'unavailable') {
      const { code, message } = known;
      this.log.info('A consent connected no mailbox', { sessionId, provider, reason: code });
      return { code, message };
    }
    this.log.error('A consent could not be completed', error, { sessionId, provider });
    return { code: oauthFailures.failed.code, message: 'Something went wrong on our side; start again' };
  }
}

/** @throws OAUTH_DENIED, OAUTH_FAILED when the vendor sent no code */
function requireCode(parameters: CallbackParameters): string {
  const returned = returnedCode(parameters);
  if (returned.code === null) throw oauthFailure(returned.why, returned.message);
  return returned.code;
}

function toScope({ workspaceId, startedBy }: OAuthSessionRecord): WorkspaceScope {
  return { ...systemScope(workspaceId.toHexString()), actor: startedBy };
}

function toOutcome(
  { _id, redirectUrl }: OAuthSessionRecord,
  status: 'completed' | 'failed',
  message: string,
): OAuthOutcome {
  return {
    status,
    message,
    redirectUrl: redirectUrl === null ? null : redirectWith(redirectUrl, _id.toHexString(), status),
  };
}
