import { Agent, get as ask } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Platform } from '../harness';

/**
 * Parallel hits over kept-alive connections: thousands of hits through the ordinary client would cost more than their
 * processing.
 */
export class HitFlood {
  readonly #connections = new Agent({ keepAlive: true });

  constructor(private readonly platform: Platform) {}

  /** Sends this many requests in parallel. @returns the statuses */
  async send(path: string, headers: Record<string, string>, times: number): Promise<Set<number>> {
    const { port } = this.platform.app.getHttpServer().address() as AddressInfo;
    const statusOf = (): Promise<number> =>
      new Promise((done, failed) => {
        ask({ host: '127.0.0.1', port, path, headers, agent: this.#connections }, (answer) => {
          answer.resume().once('end', () => done(answer.statusCode ?? 0));
        }).once('error', failed);
      });
    return new Set(await Promise.all(Array.from({ length: times }, statusOf)));
  }

  close(): void {
    this.#connections.destroy();
  }
}
