import { Injectable } from '@nestjs/common';
import { MailError } from '@adapters/mail';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { type Grant, OAuthClient } from '@platform/oauth';
import { OutboundError, OutboundHttpClient, type OutboundResponse } from '@platform/outbound';
import { parseEmailAddress } from '@platform/validation';
import { withMailErrors } from './oauth-answer';
import { isConfigured, getOAuthProvider, type OAuthProviderName, UNKNOWN_LIFETIME_S } from './oauth-providers';
import { signAssertion, type ServiceAccountKey } from './service-account-key';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/** OAuth of mailboxes. No ID token is requested: the mail API gives the address (`getAddresses`). */
@Injectable()
export class MailboxOAuthClient {
  constructor(
    private readonly client: OAuthClient,
    private readonly http: OutboundHttpClient,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Exchanges the code of a consent.
   * @throws MailError, OAUTH_NOT_CONFIGURED
   */
  async exchange(name: OAuthProviderName, consent: { code: string; verifier: string }): Promise<Grant> {
    return withMailErrors(this.client.exchange(getOAuthProvider(this.config, name), consent));
  }

  /**
   * Returns a new access token, and a new refresh token where the vendor rotates them.
   * @throws MailError `needs-human` when the grant is revoked, otherwise `temporary`
   */
  async refresh(name: OAuthProviderName, refreshToken: string): Promise<Grant> {
    if (!isConfigured(this.config, name)) {
      throw new MailError({ failure: 'temporary', stage: 'login', message: `No OAuth client is set up for ${name}` });
    }
    return withMailErrors(this.client.refresh(getOAuthProvider(this.config, name), refreshToken));
  }

  /**
   * Returns an access token for a mailbox of the domain that trusts the service account.
   * @throws MailError `needs-human` when the domain does not trust it, otherwise `temporary`
   */
  async exchangeServiceAccount(mailbox: string, key: ServiceAccountKey): Promise<Grant> {
    const tokenUrl = this.config.googleTokenUrl;
    const assertion = await signAssertion(key, mailbox, tokenUrl, this.clock.now());
    const server = { tokenUrl, defaultLifeSeconds: UNKNOWN_LIFETIME_S };
    return withMailErrors(this.client.exchangeAssertion(server, { issuer: key.clientEmail, assertion }));
  }

  /**
   * Returns the addresses of the mailbox that a token opens, normalised, main address first; Microsoft also has a
   * sign-in name.
   * @throws MailError
   */
  async getAddresses(name: OAuthProviderName, accessToken: string): Promise<readonly string[]> {
    const { profileUrl } = getOAuthProvider(this.config, name);
    const { status, body } = await this.#read(profileUrl, accessToken);
    const found = status === 200 ? parseAddresses(body) : [];
    if (found.length > 0) return found;
    throw new MailError({
      failure: status === 200 || status === 401 || status === 403 ? 'needs-human' : 'temporary',
      stage: 'request',
      message: `The vendor does not name the authorised mailbox (HTTP ${status})`,
    });
  }

  async #read(url: string, accessToken: string): Promise<OutboundResponse> {
    const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
    try {
      return await this.http.request({
        url,
        method: 'GET',
        headers,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_BYTES,
      });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new MailError({ failure: 'temporary', stage: 'connect', message: error.message }, error);
    }
  }
}

/** Gmail's `emailAddress`; Graph's `mail`, which is null for some accounts, and `userPrincipalName`. */
function parseAddresses(body: Buffer): string[] {
  try {
    const { emailAddress, mail, userPrincipalName } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    const addresses = [emailAddress, mail, userPrincipalName]
      .map((address) => parseEmailAddress(typeof address === 'string' ? address : ''))
      .filter((parsed) => parsed.ok)
      .map(({ address }) => address);
    return [...new Set(addresses)];
  } catch {
    return [];
  }
}
