import { Injectable } from '@nestjs/common';
import { MailError } from '@adapters/mail';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { OutboundError, OutboundHttpClient } from '@platform/outbound';
import { parseEmailAddress } from '@platform/validation';
import { type Grant, toMailboxGrant } from './oauth-answer';
import {
  isConfigured,
  getOAuthProvider,
  type OAuthProvider,
  type OAuthProviderName,
  getRedirectUri,
} from './oauth-providers';
import { signAssertion, type ServiceAccountKey } from './service-account-key';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/**
 * Client of the vendors' token servers. It sends three form posts over the guarded client; openid-client rejects
 * Microsoft's `common` issuer and plain http (tests) unless its checks are off, and keeps its own sockets. No ID
 * token is requested: the mail API gives the address (`addresses`).
 */
@Injectable()
export class MailboxOAuthClient {
  constructor(
    private readonly http: OutboundHttpClient,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Exchanges the code of a consent.
   * @throws MailError, OAUTH_NOT_CONFIGURED
   */
  async exchange(name: OAuthProviderName, { code, verifier }: { code: string; verifier: string }): Promise<Grant> {
    const provider = getOAuthProvider(this.config, name);
    return this.#requestGrant(provider.tokenUrl, {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: getRedirectUri(this.config, name),
      ...getClientParameters(provider),
    });
  }

  /**
   * Returns a new access token, and a new refresh token where the vendor rotates them.
   * @throws MailError `needs-human` when the grant is revoked, otherwise `temporary`
   */
  async refresh(name: OAuthProviderName, refreshToken: string): Promise<Grant> {
    if (!isConfigured(this.config, name)) {
      throw new MailError({ failure: 'temporary', stage: 'login', message: `No OAuth client is set up for ${name}` });
    }
    const provider = getOAuthProvider(this.config, name);
    return this.#requestGrant(provider.tokenUrl, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      ...getClientParameters(provider),
    });
  }

  /**
   * Returns an access token for a mailbox of the domain that trusts the service account.
   * @throws MailError `needs-human` when the domain does not trust it, otherwise `temporary`
   */
  async exchangeServiceAccount(mailbox: string, key: ServiceAccountKey): Promise<Grant> {
    const { googleTokenUrl } = this.config;
    return this.#requestGrant(googleTokenUrl, {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await signAssertion(key, mailbox, googleTokenUrl, this.clock.now()),
    });
  }

  /**
   * Returns the addresses of the mailbox that a token opens, normalised, main address first; Microsoft also has a
   * sign-in name.
   * @throws MailError
   */
  async getAddresses(name: OAuthProviderName, accessToken: string): Promise<readonly string[]> {
    const { profileUrl } = getOAuthProvider(this.config, name);
    const { status, body } = await this.#send({
      url: profileUrl,
      method: 'GET',
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
    });
    const found = status === 200 ? parseAddresses(body) : [];
    if (found.length > 0) return found;
    throw new MailError({
      failure: status === 200 || status === 401 || status === 403 ? 'needs-human' : 'temporary',
      stage: 'request',
      message: `The vendor does not name the authorised mailbox (HTTP ${status})`,
    });
  }

  async #requestGrant(url: string, form: Record<string, string>): Promise<Grant> {
    const now = this.clock.now();
    const answer = await this.#send({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
    });
    return toMailboxGrant(answer, now);
  }

  /** A lost answer is temporary: repeating the request is harmless. */
  async #send(request: Pick<Parameters<OutboundHttpClient['request']>[0], 'url' | 'method' | 'headers' | 'body'>) {
    try {
      return await this.http.request({ ...request, timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_BYTES });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new MailError({ failure: 'temporary', stage: 'connect', message: error.message }, error);
    }
  }
}

function getClientParameters({ clientId, clientSecret }: OAuthProvider): Record<string, string> {
  return { client_id: clientId, client_secret: clientSecret };
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
