import { MailError } from '@adapters/mail';
import { systemScope, type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Config } from '@platform/config';
import { isDatabaseUnavailable, TransactionService } from '@platform/database';
import { AppError, invalidField, notFound } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { type CallbackParameters, redirectTarget, redirectWith, returnedCode } from '@platform/oauth';
import { LogService } from '@platform/observability';
import { type Model } from 'mongoose';
import { type MailboxResponse } from '../dto/mailbox.dto';
import { type OAuthStartResponse, type StartOAuthRequest, toOAuthStart } from '../dto/oauth.dto';
import { type ConnectServiceAccountRequest } from '../dto/service-account.dto';
import { MailboxCreationService } from '../mailbox-creation.service';
import { MAILBOX_HOOKS } from '../mailbox-hooks';
import { requireMailbox } from '../mailbox-lookup';
import { oauthFailure, oauthFailures } from '../mailbox-oauth.errors';
import { mailboxCheckFailed } from '../mailboxes.errors';
import { MailboxesService } from '../mailboxes.service';
import { MailboxRecord } from '../schemas/mailbox.record';
import { type OAuthSessionRecord } from '../schemas/oauth-session.record';
import { MailboxGrantProofService, type VerifiedGrant } from './mailbox-grant-proof.service';
import { MailboxGrantService } from './mailbox-grant.service';
import {
  type ClaimedSession,
  MailboxOAuthSessionRepository,
  type OpenedSession,
} from './mailbox-oauth-session.repository';
import { getOAuthProvider, getRedirectUri, isOAuthProvider, type OAuthProvider } from './oauth-providers';
import { parseServiceAccountKey } from './service-account-key';

/** The result shown in the browser. `unknown`: the state was never issued, was used before, or has expired. */
export type OAuthOutcome =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'completed' | 'failed';
      /** The connected address, or why nothing was connected. */
      readonly message: string;
      /** Where the browser is redirected; null when it shows a page. */
      readonly redirectUrl: string | null;
    };

/** Connects mailboxes by a person's consent at the vendor, or by a service account of a Google Workspace domain. */
@Injectable()
export class MailboxOAuthService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly records: Model<MailboxRecord>,
    private readonly mailboxes: MailboxesService,
    private readonly creation: MailboxCreationService,
    private readonly sessions: MailboxOAuthSessionRepository,
    private readonly proof: MailboxGrantProofService,
    private readonly grants: MailboxGrantService,
    private readonly hooks: HookRegistry,
    private readonly transactions: TransactionService,
    private readonly config: Config,
    private readonly log: LogService,
  ) {}

  /**
   * Returns the vendor's address for the consent, and the session that will hold the outcome. The person who consents connects
   * their mailbox to this workspace: give the address to the owner only.
   * @throws NOT_FOUND for an unknown provider or mailbox, OAUTH_NOT_CONFIGURED, VALIDATION_ERROR
   */
  async start(workspace: WorkspaceScope, name: string, input: StartOAuthRequest): Promise<OAuthStartResponse> {
    if (!isOAuthProvider(name)) throw notFound('OAuth provider');
    const provider = getOAuthProvider(this.config, name);
    const redirectUrl = this.#toRedirectUrl(input.redirectUrl);
    const mailbox = await this.#requireMailboxOf(workspace, name, input.mailboxId);
    const opened = await this.sessions.open(workspace, {
      provider: name,
      mailboxId: mailbox?._id ?? null,
      displayName: input.displayName ?? null,
      redirectUrl,
    });
    return toOAuthStart(opened.record, this.#toAuthUrl(provider, opened, input.loginHint ?? mailbox?.email));
  }

  /**
   * Claims the state, exchanges the code and connects the mailbox; session, mailbox, event and audit entry are written
   * together. If the process crashes, only a session remains, which expires.
   * @throws NOT_FOUND for an unknown provider; every other failure is an outcome
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

  /**
   * Opens the mailbox with the key and stores both. With `mailboxId` that mailbox gets the key and keeps its settings.
   * @throws VALIDATION_ERROR for a key that cannot be used, CONFLICT for an address that is connected, LIMIT_EXCEEDED,
   *   NOT_FOUND, MAILBOX_CHECK_FAILED with Google's reply
   */
  async connectServiceAccount(
    workspace: WorkspaceScope,
    input: ConnectServiceAccountRequest,
  ): Promise<MailboxResponse> {
    const { email, serviceAccountKey: keyFile, mailboxId, ...settings } = input;
    const key = parseServiceAccountKey(keyFile);
    if (mailboxId === undefined) await this.creation.checkLimit(workspace, email);
    else await this.mailboxes.get(workspace, mailboxId);
    const { addresses, seal } = await this.#verifyServiceAccount(() => this.proof.verifyServiceAccount(email, key));
    const grant = { provider: 'google', addresses, seal, mailboxId: mailboxId ?? null, settings } as const;
    return this.mailboxes.notifyAndGet(workspace, await this.grants.save(workspace, grant));
  }

  #toRedirectUrl(url: string | undefined): string | null {
    if (url === undefined) return null;
    const target = redirectTarget(url, this.config.publicUrl);
    if (target !== null) return target;
    throw invalidField(
      'redirectUrl',
      'redirectUrl must be an https address without a user name, or one of this server',
    );
  }

  async #requireMailboxOf(
    workspace: WorkspaceScope,
    name: string,
    id: string | undefined,
  ): Promise<MailboxRecord | null> {
    if (id === undefined) return null;
    const mailbox = await requireMailbox(this.records, workspace, id);
    if (mailbox.provider === name) return mailbox;
    throw invalidField('mailboxId', `mailboxId must be a mailbox of ${name}`);
  }

  #toAuthUrl(provider: OAuthProvider, { state, challenge }: OpenedSession, loginHint: string | undefined): string {
    const url = new URL(provider.authUrl);
    const parameters = {
      client_id: provider.clientId,
      redirect_uri: getRedirectUri(this.config, provider.name),
      response_type: 'code',
      scope: provider.scopes.join(' '),
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...provider.authParameters,
      ...(loginHint === undefined ? {} : { login_hint: loginHint }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
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
    await this.hooks.call(MAILBOX_HOOKS, 'changed', workspace, mailbox._id.toHexString());
    return mailbox;
  }

  /** The error that the session stores: our own text, never text from the browser. */
  #toFailure(error: unknown, { _id, provider }: OAuthSessionRecord): { code: string; message: string } {
    const sessionId = _id.toHexString();
    const known = error instanceof MailError ? oauthFailure('failed', error.message) : error;
    if (known instanceof AppError && known.type.kind !== 'unavailable') {
      const { code, message } = known;
      this.log.info('A consent connected no mailbox', { sessionId, provider, reason: code });
      return { code, message };
    }
    this.log.error('A consent could not be completed', error, { sessionId, provider });
    return { code: oauthFailures.failed.code, message: 'An internal error occurred; start again' };
  }

  /** A key that Google rejects, and a missing answer, are failed checks like a rejected password. */
  async #verifyServiceAccount(prove: () => Promise<VerifiedGrant>): Promise<VerifiedGrant> {
    try {
      return await prove();
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const reply = error.lastReply ? ` (Google said: ${error.lastReply.response})` : '';
      throw mailboxCheckFailed([{ field: 'serviceAccountKey', message: `${error.message}${reply}` }]);
    }
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
