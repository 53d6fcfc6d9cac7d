import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface ServedPage {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A website on 127.0.0.1 with scripted answers that records its requests. Unknown paths answer 404. */
export class SiteServer {
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  /** Answers every path without a page. */
  otherwise: (path: string, response: ServerResponse) => void = notFound;
  readonly #answers = new Map<string, (response: ServerResponse) => void>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SiteServer> {
    const server = createServer();
    const site = new SiteServer(server);
    server.on('request', ({ url = '/', headers }, response) => {
      site.asked.push({ path: url, headers });
      const answer = site.#answers.get(url);
      if (answer) answer(response);
      else site.otherwise(url, response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    site.#port = (server.address() as AddressInfo).port;
    return site;
  }

  #port = 0;

  get port(): number {
    return this.#port;
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }

  /** Resets the server. */
  reset(): void {
    this.asked.length = 0;
    this.#answers.clear();
    this.otherwise = notFound;
  }

  /** Requested paths, in order. */
  get paths(): string[] {
    return this.asked.map(({ path }) => path);
  }

  put(path: string, { status = 200, headers = {}, body = '' }: ServedPage): void {
    this.answer(path, (response) => {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
    });
  }

  /** HTML pages by path. */
  serve(pages: Readonly<Record<string, string>>): void {
    for (const [path, body] of Object.entries(pages)) this.put(path, { body });
  }

  answer(path: string, answer: (response: ServerResponse) => void): void {
    this.#answers.set(path, answer);
  }

  close(): Promise<void> {
    return new Promise((done) => {
      this.server.close(() => done());
      this.server.closeAllConnections();
    });
  }
}

function notFound(_path: string, response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
}
