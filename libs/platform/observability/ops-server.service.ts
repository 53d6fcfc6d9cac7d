import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Injectable } from '@nestjs/common';
import { HealthService } from './health.service';
import { MetricsService } from './metrics.service';

/** Handles all requests below a path. A rejection closes the connection without a response. */
export type OpsHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** The operator's HTTP server of a process on its own port: `/metrics`, `/health/live`, `/health/ready`, and mounted handlers. */
@Injectable()
export class OpsServerService {
  #server: Server | undefined;
  readonly #mounts = new Map<string, OpsHandler>();

  constructor(
    private readonly metrics: MetricsService,
    private readonly health: HealthService,
  ) {}

  /** Passes requests for `/<name>` and all paths below it to a handler. */
  mount(name: string, handler: OpsHandler): void {
    this.#mounts.set(name, handler);
  }

  /** Returns the port; the system chooses it for port 0. */
  async listen(port: number, host: string): Promise<number> {
    this.metrics.watchProcess();
    const server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#server = server;
    server.listen(port, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (!server?.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    const mounted = this.#mounts.get(path.split('/', 2)[1] ?? '');
    if (mounted) return mounted(request, response);
    switch (path) {
      case '/metrics':
        await this.#recordHealth(); // the checks also refresh the gauges of their dependencies
        return send(response, 200, this.metrics.registry.contentType, await this.metrics.text());
      case '/health/live':
        return send(response, 200, 'application/json', '{"status":"live"}');
      case '/health/ready': {
        const report = await this.health.report();
        return send(response, report.status === 'unavailable' ? 503 : 200, 'application/json', JSON.stringify(report));
      }
      default:
        return send(response, 404, 'text/plain', 'not found\n');
    }
  }

  async #recordHealth(): Promise<void> {
    const { checks } = await this.health.report();
    for (const [check, { status }] of Object.entries(checks)) {
      this.metrics.healthChecks.set({ check }, status === 'up' ? 1 : 0);
    }
  }
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body);
}
