import { MailError } from '@adapters/mail';
import { type WorkspaceScope } from '@domain/access';
import {
  type ConsentOutcome,
  consentRedirect,
  OAuthConsentSessionsService,
  type ReturnedConsent,
  scopeOfConsent,
} from '@domain/oauth';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { TransactionService } from '@platform/database';
import { invalidField, notFound } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { type CallbackParameters, OAuthClient } from '@platform/oauth';
import { type Model } from 'mongoose';
import { type MailboxResponse } from '../dto/mailbox.dto';
import {
  type OAuthSessionResponse,
  type OAuthStartResponse,
  type StartOAuthRequest,
  toOAuthSession,
  toOAuthStart,
} from '../dto/oauth.dto';
import { type ConnectServiceAccountRequest } from '../dto/service-account.dto';
import { MailboxCreationService } from '../mailbox-creation.service';
import { MAILBOX_HOOKS } from '../mailbox-hooks';
import { requireMailbox } from '../mailbox-lookup';
import { oauthFailures } from '../mailbox-oauth.errors';
import { mailboxCheckFailed } from '../mailboxes.errors';
import { MailboxesService } from '../mailboxes.service';
import { MailboxRecord } from '../schemas/mailbox.record';
import { MailboxGrantProofService, type VerifiedGrant } from './mailbox-grant-proof.service';
import { MailboxGrantService } from './mailbox-grant.service';
import { getOAuthProvider, isOAuthProvider, OAUTH_PROVIDERS, type OAuthProviderName } from './oauth-providers';
import { parseServiceAccountKey } from './service-account-key';

/** Connects mailboxes by a person's consent at the vendor, or by a service account of a Google Workspace domain. */
@Injectable()
export class MailboxOAuthService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly records: Model<MailboxRecord>,
    private readonly mailboxes: MailboxesService,
    private readonly creation: MailboxCreationService,
    private readonly sessions: OAuthConsentSessionsService,
    private readonly client: OAuthClient,
    private readonly proof: MailboxGrantProofService,
    private readonly grants: MailboxGrantService,
    private readonly hooks: HookRegistry,
    private readonly transactions: TransactionService,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Returns the vendor's address for the consent, and the session that will hold the outcome. The person who consents connects
   * their mailbox to this workspace: give the address to the owner only.
   * @throws NOT_FOUND for an unknown provider or mailbox, OAUTH_NOT_CONFIGURED, VALIDATION_ERROR
   */
  async start(workspace: WorkspaceScope, name: string, input: StartOAuthRequest): Promise<OAuthStartResponse> {
    if (!isOAuthProvider(name)) throw notFound('OAuth provider');
    const provider = getOAuthProvider(this.config, name);
    const redirectUrl = consentRedirect(input.redirectUrl, this.config.publicUrl);
    const mailbox = await this.#requireMailboxOf(workspace, name, input.mailboxId);
    const opened = await this.sessions.open(workspace, {
      name,
      mailboxId: mailbox?._id ?? null,
      displayName: input.displayName ?? null,
      redirectUrl,
    });
    const hint = input.loginHint ?? mailbox?.email;
    const parameters: Record<string, string> = hint === undefined ? {} : { login_hint: hint };
    return toOAuthStart(opened.record, await this.client.createAuthUrl(provider, opened, parameters));
  }

  /** @throws NOT_FOUND */
  async session(workspace: WorkspaceScope, sessionId: string): Promise<OAuthSessionResponse> {
    return toOAuthSession(await this.sessions.get(workspace, OAUTH_PROVIDERS, sessionId), this.clock.now());
  }

  /**
   * Connects the mailbox of a consent; session, mailbox, event and audit entry are written together.
   * @throws NOT_FOUND for an unknown provider; every other failure is an outcome
   */
  async handleCallback(name: string, parameters: CallbackParameters): Promise<ConsentOutcome> {
    if (!isOAuthProvider(name)) throw notFound('OAuth provider');
    return this.sessions.handleCallback(name, parameters, {
      failures: oauthFailures,
      vendorError: MailError,
      connect: async (returned) => (await this.#connect(returned)).email,
    });
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

  async #connect({ consent, code, verifier }: ReturnedConsent<OAuthProviderName>): Promise<MailboxRecord> {
    const provider = consent.name;
    const { addresses, seal } = await this.proof.verifyConsent(provider, { code, verifier });
    const workspace = scopeOfConsent(consent);
    const mailbox = await this.transactions.run(async () => {
      const mailbox = await this.grants.save(workspace, {
        provider,
        addresses,
        seal,
        mailboxId: consent.mailboxId?.toHexString() ?? null,
        settings: consent.displayName === null ? {} : { displayName: consent.displayName },
      });
      await this.sessions.complete(consent, { mailboxId: mailbox._id });
      return mailbox;
    });
    await this.hooks.call(MAILBOX_HOOKS, 'changed', workspace, mailbox._id.toHexString());
    return mailbox;
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
