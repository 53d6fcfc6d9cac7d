import { Injectable } from '@nestjs/common';
import { type CheckResult, MailSessionPool } from '@adapters/mail';
import { Config } from '@platform/config';
import { SecretBoxService } from '@platform/secrets';
import { Types } from 'mongoose';
import { MailboxAccountService } from '../mailbox-account.service';
import { verifyNow } from '../mailbox-check';
import { mailboxCheckFailed } from '../mailboxes.errors';
import { oauthFailure } from '../mailbox-oauth.errors';
import { coversScopes } from './oauth-answer';
import { MailboxOAuthClient } from './mailbox-oauth.client';
import { consentCredentials, type SealCredentials, serviceAccountCredentials } from './oauth-credentials';
import { oauthProvider, type OAuthProviderName } from './oauth-providers';
import { type ServiceAccountKey } from './service-account-key';

/** A grant that opens a mailbox, not stored yet. */
export interface Proof {
  /** In lower case, main address first. */
  readonly addresses: readonly string[];
  readonly seal: SealCredentials;
}

/** Tries what was granted before anything is stored. */
@Injectable()
export class MailboxGrantProofService {
  constructor(
    private readonly client: MailboxOAuthClient,
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly box: SecretBoxService,
    private readonly config: Config,
  ) {}

  /**
   * Exchanges the code of a consent and opens the mailbox with what it gave.
   * @throws OAUTH_CONSENT_INCOMPLETE, MAILBOX_CHECK_FAILED, MailError when the vendor refuses or cannot be reached
   */
  async ofConsent(name: OAuthProviderName, consent: { code: string; verifier: string }): Promise<Proof> {
    const { neededScopes, scopes } = oauthProvider(this.config, name);
    const grant = await this.client.exchange(name, consent);
    if (!coversScopes(grant.scopes, neededScopes)) {
      throw oauthFailure('incomplete', 'Consent incomplete: access to mail was not granted; start again and allow it');
    }
    if (grant.refreshToken === null) {
      throw oauthFailure('incomplete', 'Consent incomplete: the vendor gave no lasting access; start again');
    }
    const addresses = await this.client.addresses(name, grant.accessToken);
    await this.#open(name, addresses[0] ?? '', grant.accessToken);
    return { addresses, seal: consentCredentials(this.box, grant, scopes) };
  }

  /**
   * Opens a mailbox of a Google Workspace domain with a service account that acts for it.
   * @throws MAILBOX_CHECK_FAILED, MailError when Google refuses or cannot be reached
   */
  async ofServiceAccount(email: string, key: ServiceAccountKey): Promise<Proof> {
    const grant = await this.client.actFor(email, key);
    await this.#open('google', email, grant.accessToken);
    return { addresses: [email], seal: serviceAccountCredentials(this.box, grant, key) };
  }

  async #open(name: OAuthProviderName, email: string, accessToken: string): Promise<void> {
    const account = this.accounts.draftWithToken(name, { id: new Types.ObjectId().toHexString(), email, accessToken });
    const { outgoing, incoming } = await this.sessions.once(account, verifyNow);
    const failed = [outgoing, incoming].find(isFailure);
    if (!failed) return;
    throw mailboxCheckFailed([
      { field: 'email', message: `The mailbox ${email} could not be opened: ${failed.message}` },
    ]);
  }
}

function isFailure(result: CheckResult): result is Extract<CheckResult, { ok: false }> {
  return !result.ok;
}
