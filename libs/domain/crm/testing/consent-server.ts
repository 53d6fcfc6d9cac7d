import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

interface Code {
  readonly challenge: string | null;
  readonly redirectUri: string;
}

export interface TokenReply {
  readonly status: number;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Client of the installation under test at all vendors. */
const CLIENT = { id: 'client-1', secret: 'client-secret-canary-7c2a' };

/** The authorisation server of a vendor on the loopback interface, after RFC 6749 and 7636. */
export class ConsentServer {
  /** Requests to the token endpoint, in order. */
  readonly requests: Record<string, string>[] = [];
  /** Place of the client's secret in each request: null for the body. */
  readonly authorisations: (string | null)[] = [];
  readonly refreshTokens = new Set<string>();
  /** Valid access tokens. An API server can share the set to accept only these. */
  tokens = new Set<string>();
  lifetimeSeconds = 3_600;
  /** `strict`: each refresh token is valid once. */
  rotation: 'none' | 'strict' = 'none';
  /** Whether a consent gives a refresh token. */
  isLasting = true;
  /** Additional fields of each response. */
  more: Readonly<Record<string, unknown>> = {};
  readonly #codes = new Map<string, Code>();
  readonly #troubles: TokenReply[] = [];
  readonly #server: Server;
  #held: Promise<void> = Promise.resolve();

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#token(request)
        .then(({ status, body = {}, headers = {} }) => {
          response.writeHead(status, { 'content-type': 'application/json', ...headers });
          response.end(typeof body === 'string' ? body : JSON.stringify(body));
        })
        .catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(): Promise<ConsentServer> {
    const server = new ConsentServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Settings that make an installation a client of these vendors. @param apiUrl where their APIs are */
  env(types: readonly string[], apiUrl: string): Record<string, string> {
    return Object.fromEntries(
      types.flatMap((type) =>
        Object.entries({
          CLIENT_ID: CLIENT.id,
          CLIENT_SECRET: CLIENT.secret,
          AUTH_URL: `${this.url}/auth`,
          TOKEN_URL: `${this.url}/token`,
          API_URL: apiUrl,
        }).map(([name, value]) => [`${type.toUpperCase()}_${name}`, value]),
      ),
    );
  }

  /** A refresh token as a consent would have given it. */
  refreshToken(): string {
    const token = `refresh-canary-${randomBytes(12).toString('hex')}`;
    this.refreshTokens.add(token);
    return token;
  }

  /** Sets the responses to the next token requests. */
  trouble(...replies: TokenReply[]): void {
    this.#troubles.push(...replies);
  }

  /** Delays all responses until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return resolve;
  }

  /** Follows the consent page and returns the redirect target, from the path on. */
  consent(authUrl: string, more: Readonly<Record<string, string>> = {}): string {
    const url = new URL(authUrl);
    const asked = (name: string): string => url.searchParams.get(name) ?? '';
    if (asked('client_id') !== CLIENT.id || asked('response_type') !== 'code') {
      throw new Error(`No consent page at ${authUrl}`);
    }
    const back = new URL(asked('redirect_uri'));
    const code = `code-canary-${randomBytes(12).toString('hex')}`;
    const challenge = url.searchParams.get('code_challenge');
    this.#codes.set(code, { challenge, redirectUri: asked('redirect_uri') });
    const given = { state: asked('state'), ...(more['error'] === undefined && { code }), ...more };
    for (const [name, value] of Object.entries(given)) back.searchParams.set(name, value);
    return `${back.pathname}${back.search}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #token(incoming: IncomingMessage): Promise<TokenReply> {
    const form = await formOf(incoming);
    this.requests.push(form);
    this.authorisations.push(incoming.headers.authorization ?? null);
    await this.#held;
    const trouble = this.#troubles.shift();
    if (trouble) return trouble;
    const inHeader = incoming.headers.authorization === `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}`;
    const inBody = form['client_id'] === CLIENT.id && form['client_secret'] === CLIENT.secret;
    if (!inHeader && !inBody) return { status: 401, body: { error: 'invalid_client' } };
    return form['grant_type'] === 'refresh_token' ? this.#refresh(form['refresh_token'] ?? '') : this.#exchange(form);
  }

  #exchange(form: Record<string, string>): TokenReply {
    const code = this.#codes.get(form['code'] ?? '');
    this.#codes.delete(form['code'] ?? '');
    const challenge = form['code_verifier']
      ? createHash('sha256').update(form['code_verifier']).digest('base64url')
      : null;
    const fits = code !== undefined && code.redirectUri === form['redirect_uri'] && code.challenge === challenge;
    if (!fits) return { status: 400, body: { error: 'invalid_grant' } };
    return this.#granted(this.isLasting ? { refresh_token: this.refreshToken() } : {});
  }

  #refresh(token: string): TokenReply {
    if (!this.refreshTokens.has(token)) return { status: 400, body: { error: 'invalid_grant' } };
    if (this.rotation === 'none') return this.#granted({});
    this.refreshTokens.delete(token);
    return this.#granted({ refresh_token: this.refreshToken() });
  }

  #granted(more: object): TokenReply {
    const token = `access-canary-${randomBytes(12).toString('hex')}`;
    this.tokens.add(token);
    const life = { expires_in: this.lifetimeSeconds };
    return { status: 200, body: { access_token: token, token_type: 'Bearer', ...life, ...this.more, ...more } };
  }
}

async function formOf(incoming: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
}
