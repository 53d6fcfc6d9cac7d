import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Config } from '@platform/config';
import { invalidField, notFound } from '@platform/errors';
import { redirectTarget } from '@platform/oauth';
import { type Model } from 'mongoose';
import { type OAuthStartResponse, type StartOAuthRequest, toOAuthStart } from '../dto/oauth.dto';
import { requireMailbox } from '../mailbox-lookup';
import { MailboxRecord } from '../schemas/mailbox.record';
import { isOAuthProvider, getOAuthProvider, type OAuthProvider, getRedirectUri } from './oauth-providers';
import { MailboxOAuthSessionRepository, type OpenedSession } from './mailbox-oauth-session.repository';

/** Sends a person to the vendor to connect a mailbox. */
@Injectable()
export class MailboxOAuthService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly sessions: MailboxOAuthSessionRepository,
    private readonly config: Config,
  ) {}

  /**
   * The address at the vendor where consent is given, and the session in which the outcome will be found. Whoever consents
   * connects their mailbox to this workspace: hand the address to its owner only.
   * @throws NOT_FOUND for an unknown provider or mailbox, OAUTH_NOT_CONFIGURED, VALIDATION_ERROR
   */
  async start(workspace: WorkspaceScope, name: string, input: StartOAuthRequest): Promise<OAuthStartResponse> {
    if (!isOAuthProvider(name)) throw notFound('OAuth provider');
    const provider = getOAuthProvider(this.config, name);
    const redirectUrl = this.#redirectUrl(input.redirectUrl);
    const mailbox = await this.#mailbox(workspace, name, input.mailboxId);
    const opened = await this.sessions.open(workspace, {
      provider: name,
      mailboxId: mailbox?._id ?? null,
      displayName: input.displayName ?? null,
      redirectUrl,
    });
    return toOAuthStart(opened.record, this.#authUrl(provider, opened, input.loginHint ?? mailbox?.email));
  }

  #redirectUrl(given: string | undefined): string | null {
    if (given === undefined) return null;
    const target = redirectTarget(given, this.config.publicUrl);
    if (target !== null) return target;
    throw invalidField(
      'redirectUrl',
      'redirectUrl must be an https address without a user name, or one of this server',
    );
  }

  async #mailbox(workspace: WorkspaceScope, name: string, id: string | undefined): Promise<MailboxRecord | null> {
    if (id === undefined) return null;
    const mailbox = await requireMailbox(this.mailboxes, workspace, id);
    if (mailbox.provider === name) return mailbox;
    throw invalidField('mailboxId', `mailboxId must be a mailbox of ${name}`);
  }

  #authUrl(provider: OAuthProvider, { state, challenge }: OpenedSession, loginHint: string | undefined): string {
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
}
