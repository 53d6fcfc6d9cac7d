import { once } from 'node:events';
import { type Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';

/** Time in which requests that are already on their way still find the door open (milliseconds). */
const DRAIN_MS = 500;

/**
 * Stops a server without cutting off anybody. First every answer asks its client to hang up, and balancers that look at
 * the health see that this process is leaving; only then is the door closed. Closing at once would reset connections
 * that are accepted but whose request has not been read yet.
 */
export async function closeGracefully(server: Server): Promise<void> {
  if (!server.listening) return;
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  await setTimeout(DRAIN_MS);
  const closed = once(server, 'close');
  server.close();
  await closed;
}
