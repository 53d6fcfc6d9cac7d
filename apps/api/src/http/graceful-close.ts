import { once } from 'node:events';
import { type Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';

/** Time in which the server still accepts requests that are already on their way (milliseconds). */
const DRAIN_MS = 500;

/**
 * Stops a server without interrupting a request. First each response asks its client to close the connection, and load
 * balancers see the failing health check; then the server stops listening. Stopping at once would reset accepted
 * connections whose request has not been read.
 */
export async function closeGracefully(server: Server): Promise<void> {
  if (!server.listening) return;
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  await setTimeout(DRAIN_MS);
  const closed = once(server, 'close');
  server.close();
  await closed;
}
