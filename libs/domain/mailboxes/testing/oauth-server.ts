import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';

type Vendor = 'google' | 'microsoft';

/** A person with a mailbox at a vendor. */
export interface VendorAccount {
  readonly vendor: Vendor;
  readonly address: string;
  /** Access tokens that open the mailbox now; the vendor's mail API may read the same set. */
  readonly tokens: Set<string>;
  readonly refreshTokens: Set<string>;
}

/** The person's choices on the consent page. */
export interface Consent {
  readonly as: VendorAccount;
  readonly deny?: boolean;
  /** Selected scopes; all requested ones otherwise. */
  readonly scopes?: readonly string[];
  /** Whether a refresh token is issued. Default true. */
  readonly lasting?: boolean;
}

/** An answer that replaces the token server's own. */
export interface TokenTrouble {
  readonly status: number;
  readonly body?: object | string;
  readonly headers?: Record<string, string>;
  /** Number of requests it applies to. Default 1. */
  readonly times?: number;
}

interface Reply {
  status: number;
  body: object | string;
  headers?: Record<string, string>;
}

interface Code {
  consent: Consent;
  challenge: string;
  redirectUri: string;
  scopes: readonly string[];
}

/** Client of the installation under test at both vendors. */
const CLIENT = { id: 'client-1', secret: 'client-secret-canary-4d1f' };
const GMAIL_SCOPE = 'https://mail.google.com/';

/**
 * Authorisation servers of Google and Microsoft on the loopback interface, after RFC 6749, 7636 and 7523 and the
 * vendors' pages, with the parts of their APIs that return the address of a token's mailbox.
 */
export class OAuthServer {
  /** Forms received at the token endpoints, in order. */
  readonly requests: Record<string, string>[] = [];
  /** Lifetime of access tokens in seconds. */
  lifetimeSeconds = 3_599;
  /** `strict`: a refresh token works once. `lenient`: a new one is issued and the old one stays valid (Microsoft). */
  rotation: 'none' | 'lenient' | 'strict' = 'none';

  readonly #accounts: VendorAccount[] = [];
  readonly #codes = new Map<string, Code>();
  readonly #troubles: { reply: Reply; left: number }[] = [];
  readonly #serviceAccounts = new Map<string, KeyObject>();
  readonly #server: Server;
  #held: Promise<void> = Promise.resolve();

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(): Promise<OAuthServer> {
    const server = new OAuthServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Settings that make an installation a client of these vendors. */
  get env(): Record<string, string> {
    return {
      GOOGLE_CLIENT_ID: CLIENT.id,
      GOOGLE_CLIENT_SECRET: CLIENT.secret,
      GOOGLE_AUTH_URL: `${this.url}/google/auth`,
      GOOGLE_TOKEN_URL: `${this.url}/google/token`,
      GMAIL_API_URL: `${this.url}/`,
      MICROSOFT_CLIENT_ID: CLIENT.id,
      MICROSOFT_CLIENT_SECRET: CLIENT.secret,
      MICROSOFT_AUTHORITY_URL: `${this.url}/common`,
      GRAPH_API_URL: `${this.url}/v1.0`,
    };
  }

  account(vendor: Vendor, address: string, tokens = new Set<string>()): VendorAccount {
    const account = { vendor, address, tokens, refreshTokens: new Set<string>() };
    this.#accounts.push(account);
    return account;
  }

  /** A refresh token as a consent issues it. */
  refreshTokenOf(account: VendorAccount): string {
    const token = `refresh-canary-${randomBytes(12).toString('hex')}`;
    account.refreshTokens.add(token);
    return token;
  }

  /** A service account with its key file; the domains of all Google accounts here trust it. */
  serviceAccount(name: string): { client_email: string; private_key: string } & Record<string, string> {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const email = `${name}@project.iam.gserviceaccount.com`;
    this.#serviceAccounts.set(email, createPublicKey(publicKey));
    const tokenUri = 'https://attacker.example/token';
    const id = randomBytes(20).toString('hex');
    return {
      type: 'service_account',
      client_email: email,
      private_key: privateKey,
      private_key_id: id,
      token_uri: tokenUri,
    };
  }

  /** Withdraws the domain's trust. */
  distrust(email: string): void {
    this.#serviceAccounts.delete(email);
  }

  /** Whether the token opens a mailbox now. */
  opens(token: string): boolean {
    return this.#accounts.some(({ tokens }) => tokens.has(token));
  }

  trouble({ status, body = {}, headers = {}, times = 1 }: TokenTrouble): void {
    this.#troubles.push({ reply: { status, body, headers }, left: times });
  }

  /** Holds back the answers to token requests until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return resolve;
  }

  /** Completes the consent page and returns the address, from the path on, to which the browser is redirected. */
  async consent(authUrl: string, consent: Consent): Promise<string> {
    const url = new URL(authUrl);
    const parameter = (name: string): string => url.searchParams.get(name) ?? '';
    const back = new URL(parameter('redirect_uri'));
    back.searchParams.set('state', parameter('state'));
    const isClient = parameter('client_id') === CLIENT.id && parameter('response_type') === 'code';
    if (!isClient || parameter('code_challenge_method') !== 'S256') throw new Error(`No consent page at ${authUrl}`);
    if (consent.deny) {
      back.searchParams.set('error', 'access_denied');
    } else {
      const code = `code-canary-${randomBytes(12).toString('hex')}`;
      const scopes = consent.scopes ?? parameter('scope').split(' ');
      this.#codes.set(code, {
        consent,
        challenge: parameter('code_challenge'),
        redirectUri: parameter('redirect_uri'),
        scopes,
      });
      back.searchParams.set('code', code);
      back.searchParams.set('scope', scopes.join(' ')); // Google repeats them, Microsoft adds other things
    }
    return `${back.pathname}${back.search}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(incoming.url ?? '/', this.url);
    const reply = pathname.endsWith('/token')
      ? await this.#token(pathname.startsWith('/google') ? 'google' : 'microsoft', await parseForm(incoming))
      : this.#profile(pathname, incoming.headers.authorization ?? '');
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  }

  #profile(path: string, authorization: string): Reply {
    const account = this.#accounts.find(({ tokens }) => tokens.has(authorization.replace('Bearer ', '')));
    if (!account) return { status: 401, body: { error: { code: 401, message: 'Invalid Credentials' } } };
    if (path === '/gmail/v1/users/me/profile') return { status: 200, body: { emailAddress: account.address } };
    if (path === '/v1.0/me') return { status: 200, body: { mail: null, userPrincipalName: account.address } };
    if (path === '/v1.0/me/mailFolders/inbox') return { status: 200, body: { id: 'inbox' } };
    return { status: 404, body: {} };
  }

  async #token(vendor: Vendor, form: Record<string, string>): Promise<Reply> {
    this.requests.push(form);
    await this.#held;
    const trouble = this.#troubles.find(({ left }) => left > 0);
    if (trouble) {
      trouble.left -= 1;
      return trouble.reply;
    }
    if (form['grant_type'] === 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      return this.#actFor(form['assertion'] ?? '');
    if (form['client_id'] !== CLIENT.id || form['client_secret'] !== CLIENT.secret)
      return refused('invalid_client', 401);
    if (form['grant_type'] === 'authorization_code') return this.#exchange(vendor, form);
    if (form['grant_type'] === 'refresh_token') return this.#refresh(vendor, form['refresh_token'] ?? '');
    return refused('unsupported_grant_type');
  }

  #exchange(vendor: Vendor, form: Record<string, string>): Reply {
    const code = this.#codes.get(form['code'] ?? '');
    this.#codes.delete(form['code'] ?? '');
    const challenge = createHash('sha256')
      .update(form['code_verifier'] ?? '')
      .digest('base64url');
    const fits = code?.challenge === challenge && code.redirectUri === form['redirect_uri'];
    if (!code || !fits || code.consent.as.vendor !== vendor) return refused('invalid_grant');
    const { as, lasting = true } = code.consent;
    const scope = code.scopes.filter((name) => name !== 'offline_access').join(' ');
    return this.#granted(as, { scope, ...(lasting ? { refresh_token: this.refreshTokenOf(as) } : {}) });
  }

  #refresh(vendor: Vendor, token: string): Reply {
    const account = this.#accounts.find((each) => each.vendor === vendor && each.refreshTokens.has(token));
    if (!account) return refused('invalid_grant', 400, 'Token has been expired or revoked.');
    if (this.rotation === 'strict') account.refreshTokens.delete(token);
    return this.#granted(account, this.rotation === 'none' ? {} : { refresh_token: this.refreshTokenOf(account) });
  }

  async #actFor(assertion: string): Promise<Reply> {
    const claims = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      string
    >;
    const key = this.#serviceAccounts.get(claims['iss'] ?? '');
    if (!key || claims['scope'] !== GMAIL_SCOPE) {
      return refused('unauthorized_client', 401, 'Client is unauthorized to retrieve access tokens using this method.');
    }
    try {
      await jwtVerify(assertion, key, { audience: `${this.url}/google/token`, algorithms: ['RS256'] });
    } catch {
      return refused('invalid_grant', 400, 'Invalid JWT Signature.');
    }
    const account = this.#accounts.find(({ vendor, address }) => vendor === 'google' && address === claims['sub']);
    return account ? this.#granted(account, {}) : refused('invalid_grant', 400, 'Invalid email or User ID');
  }

  #granted(account: VendorAccount, more: object): Reply {
    const token = `access-canary-${randomBytes(12).toString('hex')}`;
    account.tokens.add(token);
    return {
      status: 200,
      body: { access_token: token, expires_in: this.lifetimeSeconds, token_type: 'Bearer', ...more },
    };
  }
}

function refused(error: string, status = 400, description = 'Bad Request'): Reply {
  return { status, body: { error, error_description: description } };
}

async function parseForm(incoming: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
}
