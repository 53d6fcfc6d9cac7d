import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Platform } from '../harness';

/** What was answered. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Parsed where it is JSON. */
  body: unknown;
}

export interface Question {
  method: string;
  /** With its query, percent-encoded already. */
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** So long nobody waits for an answer: a request that takes longer hangs (milliseconds). */
const HANGS_MS = 60_000;

/**
 * Asks a running platform over connections that stay open: these suites ask thousands of questions, and for each of them a
 * connection and a promise chain of its own would cost as much as the answer.
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

  /** @throws Error when no answer comes */
  async ask(question: Question): Promise<Answer> {
    try {
      return await this.#once(question);
    } catch (error) {
      // A connection that the server has closed meanwhile, after an answer to a body that it would not read.
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
