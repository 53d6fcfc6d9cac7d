import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { OutboundError, OutboundHttpClient } from '@platform/outbound';
import {
  type ClientAuth,
  type Configuration,
  type CustomFetchOptions,
  type TokenEndpointResponse,
} from 'openid-client';
import { type ConsentSecrets } from './authorization-state';
import { OAuthError } from './oauth.errors';
import { type OAuthVendor } from './oauth-vendor';
import { readTokenResponse, type TokenResponse } from './token-response';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Tokens from a token endpoint. */
export interface Grant {
  readonly accessToken: string;
  readonly expiresAt: Date;
  /** A new refresh token, or null. */
  readonly refreshToken: string | null;
  /** null when the server does not state them: then they are the requested ones (RFC 6749, 5.1). */
  readonly scopes: readonly string[] | null;
  /** The whole response: some vendors name the account or its address in it. */
  readonly answer: Readonly<Record<string, unknown>>;
}

type OpenIdClient = typeof import('openid-client');

/** A vendor at its token endpoint; an assertion authenticates itself. */
type TokenClient = Pick<OAuthVendor, 'tokenUrl' | 'clientId' | 'clientSecret' | 'defaultLifeSeconds'> & {
  readonly authUrl?: string;
  readonly clientAuth: OAuthVendor['clientAuth'] | 'assertion';
};
type GrantRequest = (library: OpenIdClient, configuration: Configuration) => Promise<TokenEndpointResponse>;

/**
 * OAuth 2.0 client of all vendors: consent addresses, and tokens by code, refresh token or assertion. Requests go over the
 * guarded HTTP client. Endpoints come from the settings, so that nothing is discovered.
 */
@Injectable()
export class OAuthClient {
  constructor(
    private readonly http: OutboundHttpClient,
    private readonly clock: ClockPort,
  ) {}

  /** Returns the consent address at the vendor (RFC 6749, 4.1.1; RFC 7636, 4.3). */
  async createAuthUrl(
    vendor: OAuthVendor,
    { state, challenge }: Pick<ConsentSecrets, 'state' | 'challenge'>,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const library = await loadLibrary();
    const { scopes, scopeSeparator, hasProofKey, authParameters, redirectUri } = vendor;
    return library.buildAuthorizationUrl(toConfiguration(library, vendor), {
      redirect_uri: new URL(redirectUri).href,
      state,
      ...(scopes.length > 0 && { scope: scopes.join(scopeSeparator) }),
      ...(hasProofKey && { code_challenge: challenge, code_challenge_method: 'S256' }),
      ...authParameters,
      ...parameters,
    }).href;
  }

  /** Exchanges the code of a consent. @throws OAuthError */
  async exchange(vendor: OAuthVendor, { code, verifier }: { code: string; verifier: string | null }): Promise<Grant> {
    // The session of the state was found, and each vendor has its own redirect URI: the code alone is left to be used.
    const callback = new URL(vendor.redirectUri);
    callback.searchParams.set('code', code);
    const proof = vendor.hasProofKey && verifier !== null ? { pkceCodeVerifier: verifier } : {};
    return this.#request(vendor, (library, configuration) =>
      library.authorizationCodeGrant(configuration, callback, proof),
    );
  }

  /** Returns a new access token, and a new refresh token where the vendor rotates them. @throws OAuthError */
  async refresh(vendor: OAuthVendor, refreshToken: string): Promise<Grant> {
    return this.#request(vendor, (library, configuration) => library.refreshTokenGrant(configuration, refreshToken));
  }

  /** Exchanges a signed assertion, which is the client's only authentication (RFC 7523). @throws OAuthError */
  async exchangeAssertion(
    vendor: Pick<OAuthVendor, 'tokenUrl' | 'defaultLifeSeconds'>,
    { issuer, assertion }: { issuer: string; assertion: string },
  ): Promise<Grant> {
    const client = { ...vendor, clientId: issuer, clientSecret: '', clientAuth: 'assertion' } as const;
    return this.#request(client, (library, configuration) =>
      library.genericGrantRequest(configuration, JWT_BEARER, { assertion }),
    );
  }

  async #request(vendor: TokenClient, request: GrantRequest): Promise<Grant> {
    const library = await loadLibrary();
    const configuration = toConfiguration(library, vendor);
    let received: TokenResponse | undefined;
    configuration[library.customFetch] = async (url, options) => {
      received = await this.#send(url, options);
      return toFetchResponse(received);
    };
    const now = this.clock.now();
    let tokens: TokenEndpointResponse;
    try {
      tokens = await request(library, configuration);
    } catch (error) {
      throw received ? toRefusal(received) : toUnreachable(error);
    }
    const lifeSeconds = tokens.expires_in ?? vendor.defaultLifeSeconds;
    return {
      accessToken: tokens.access_token,
      expiresAt: new Date(now.getTime() + lifeSeconds * 1000),
      refreshToken: tokens.refresh_token ?? null,
      scopes: tokens.scope?.split(/[ ,]/).filter((scope) => scope !== '') ?? null,
      answer: tokens,
    };
  }

  async #send(url: string, { body, headers }: CustomFetchOptions): Promise<TokenResponse> {
    const { 'user-agent': _library, ...sent } = headers;
    return readTokenResponse(
      await this.http.request({
        url,
        method: 'POST',
        headers: sent,
        body: body instanceof URLSearchParams ? body.toString() : '',
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_BYTES,
      }),
    );
  }
}

/** Loaded on demand: it takes megabytes, and most processes request no token for a long time. */
function loadLibrary(): Promise<OpenIdClient> {
  return import('openid-client');
}

function toConfiguration(library: OpenIdClient, vendor: TokenClient): Configuration {
  const { authUrl, tokenUrl, clientId } = vendor;
  const server = {
    issuer: new URL(tokenUrl).origin,
    token_endpoint: tokenUrl,
    ...(authUrl !== undefined && { authorization_endpoint: authUrl }),
  };
  const configuration = new library.Configuration(server, clientId, undefined, toClientAuth(library, vendor));
  // Which addresses may be reached, and how, is decided by the settings and the guarded HTTP client, which has a timeout, too.
  library.allowInsecureRequests(configuration);
  configuration.timeout = 0;
  return configuration;
}

function toClientAuth(library: OpenIdClient, { clientAuth, clientSecret }: TokenClient): ClientAuth {
  if (clientAuth === 'assertion') return () => undefined;
  if (clientSecret === '') return library.None();
  return clientAuth === 'basic' ? library.ClientSecretBasic(clientSecret) : library.ClientSecretPost(clientSecret);
}

function toFetchResponse({ status, body }: TokenResponse): Response {
  // A 1xx or 3xx has no body that could be a token.
  const text = status === 200 || status >= 400 ? JSON.stringify(body) : null;
  return new Response(text, { status, headers: { 'content-type': 'application/json' } });
}

function toRefusal(response: TokenResponse): OAuthError {
  const { status, code } = response;
  const said = code !== null && /^[\w .-]{1,64}$/.test(code) ? code : status;
  return new OAuthError(response, `The token server refused the request (${said})`);
}

/** @returns the error itself when it is no failed request */
function toUnreachable(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof OutboundError ? new OAuthError(null, cause.message, { cause }) : error;
}
