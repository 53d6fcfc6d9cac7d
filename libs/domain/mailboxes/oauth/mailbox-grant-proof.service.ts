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
import { createConsentCredentials, type SealCredentials, createServiceAccountCredentials } from './oauth-credentials';
import { getOAuthProvider, type OAuthProviderName } from './oauth-providers';
import { type ServiceAccountKey } from './service-account-key';

/** A grant that opens a mailbox and is not stored yet. */
export interface VerifiedGrant {
  /** In lower case, main address first. */
  readonly addresses: readonly string[];
  readonly seal: SealCredentials;
}

/** Verifies grants before they are stored. */
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
   * Exchanges the code of a consent and opens the mailbox with the grant.
   * @throws OAUTH_CONSENT_INCOMPLETE, MAILBOX_CHECK_FAILED, MailError when the vendor refuses or cannot be reached
   */
  async verifyConsent(name: OAuthProviderName, consent: { code: string; verifier: string }): Promise<VerifiedGrant> {
    const { neededScopes, scopes } = getOAuthProvider(this.config, name);
    const grant = await this.client.exchange(name, consent);
    if (!coversScopes(grant.scopes, neededScopes)) {
      throw oauthFailure('incomplete', 'Consent incomplete: access to mail was not granted; start again and allow it');
    }
    if (grant.refreshToken === null) {
      throw oauthFailure('incomplete', 'Consent incomplete: the vendor gave no lasting access; start again');
    }
    const addresses = await this.client.getAddresses(name, grant.accessToken);
    await this.#open(name, addresses[0] ?? '', grant.accessToken);
    return { addresses, seal: createConsentCredentials(this.box, grant, scopes) };
  }

  /**
   * Opens a mailbox of a Google Workspace domain with a service account that acts for it.
   * @throws MAILBOX_CHECK_FAILED, MailError when Google refuses or cannot be reached
   */
  async verifyServiceAccount(email: string, key: ServiceAccountKey): Promise<VerifiedGrant> {
    const grant = await this.client.exchangeServiceAccount(email, key);
    await this.#open('google', email, grant.accessToken);
    return { addresses: [email], seal: createServiceAccountCredentials(this.box, grant, key) };
  }

  async #open(name: OAuthProviderName, email: string, accessToken: string): Promise<void> {
    const account = this.accounts.toDraftTokenAccount(name, {
      id: new Types.ObjectId().toHexString(),
      email,
      accessToken,
    });
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
