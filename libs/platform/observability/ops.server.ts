import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Injectable } from '@nestjs/common';
import { HealthChecks } from './health.service';
import { Metrics } from './metrics.service';

/** The operator's door of a process, on its own port: `/metrics`, `/health/live`, `/health/ready`. */
@Injectable()
export class OpsServer {
  #server: Server | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly health: HealthChecks,
  ) {}

  /** Returns the port, which the system chooses when 0 is asked for. */
  async listen(port: number, host: string): Promise<number> {
    this.metrics.watchProcess();
    const server = createServer((request, response) => {
      this.#answer(request.url ?? '/', response).catch(() => response.destroy());
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

  async #answer(url: string, response: ServerResponse): Promise<void> {
    const [path = '/'] = url.split('?', 1);
    switch (path) {
      case '/metrics':
        await this.health.report(); // its checks also refresh the gauges of what they look at
        return send(response, 200, this.metrics.registry.contentType, await this.metrics.registry.metrics());
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
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body);
}
