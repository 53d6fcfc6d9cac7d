import { CrmError } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { readGrant } from '@platform/oauth';
import { OutboundError, OutboundHttpClient } from '@platform/outbound';
import { type CrmGrant, toCrmGrant } from './crm-grant';
import { type ConsentVendor } from './crm-vendors';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/** Requests tokens from the vendors' token servers (RFC 6749, 4.1.3 and 6). */
@Injectable()
export class CrmOAuthClient {
  constructor(
    private readonly http: OutboundHttpClient,
    private readonly clock: ClockPort,
  ) {}

  /** Exchanges the code of a consent. @throws CrmError */
  async exchange(
    vendor: ConsentVendor,
    tokenUrl: string,
    { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
  ): Promise<CrmGrant> {
    return this.#request(vendor, tokenUrl, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      ...(vendor.consent.hasProofKey && { code_verifier: verifier }),
    });
  }

  /** Returns a new access token, and a new refresh token when the vendor rotates them. @throws CrmError `unauthorised` for a revoked grant */
  async refresh(vendor: ConsentVendor, tokenUrl: string, refreshToken: string): Promise<CrmGrant> {
    return this.#request(vendor, tokenUrl, { grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  async #request(vendor: ConsentVendor, url: string, form: Record<string, string>): Promise<CrmGrant> {
    const now = this.clock.now();
    const { clientAuth, defaultLifeSeconds } = vendor.consent;
    const { clientId, clientSecret } = vendor;
    const inBody: Record<string, string> =
      clientAuth === 'body' ? { client_id: clientId, client_secret: clientSecret } : {};
    try {
      const answer = await this.http.request({
        url,
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
          ...(clientAuth === 'basic' && { authorization: toBasicAuth(clientId, clientSecret) }),
        },
        body: new URLSearchParams({ ...form, ...inBody }).toString(),
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_BYTES,
      });
      return toCrmGrant(readGrant(answer), now, defaultLifeSeconds);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new CrmError('unreachable', error.message, { cause: error });
    }
  }
}

/** RFC 6749, 2.3.1: both are form-encoded first. */
function toBasicAuth(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((text) => new URLSearchParams({ '': text }).toString().slice(1));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}
