import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Platform } from '../harness';

/** A response. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Parsed if it is JSON. */
  body: unknown;
}

export interface Question {
  method: string;
  /** With its query, already percent-encoded. */
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** A request that takes longer counts as hanging (milliseconds). */
const HANGS_MS = 60_000;

/**
 * Sends requests to a running platform over kept-alive connections: these suites send thousands, and a new connection
 * and promise chain for each would cost as much as the response.
 */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });
  readonly #port: number;

  constructor({ app }: Pick<Platform, 'app'>) {
    this.#port = (app.getHttpServer().address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** @throws Error without a response */
  async ask(question: Question): Promise<Answer> {
    try {
      return await this.#once(question);
    } catch (error) {
      // The server has closed the connection meanwhile, after a response to a body that it did not read.
      if (error instanceof ClosedConnection) return this.#once(question);
      throw error;
    }
  }

  #once({ method, path, headers, body }: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const isWhole = body !== undefined && headers['Transfer-Encoding'] === undefined;
      const length = isWhole ? { 'Content-Length': String(Buffer.byteLength(body)) } : {};
      const options = { host: '127.0.0.1', port: this.#port, agent: this.#agent, method: method.toUpperCase(), path };
      const asked = request({ ...options, headers: { ...length, ...headers }, timeout: HANGS_MS }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) });
        });
      });
      asked.on('timeout', () => asked.destroy(new Error(`${method} ${path} hangs`)));
      asked.on('error', (error: NodeJS.ErrnoException) => {
        const isClosed = asked.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        reject(isClosed ? new ClosedConnection() : error);
      });
      asked.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

class ClosedConnection extends Error {}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
