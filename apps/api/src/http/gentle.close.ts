import { once } from 'node:events';
import { type Server } from 'node:http';

/** Takes no new connection, lets every request in flight finish, and hangs up on idle keep-alive connections. */
export async function closeGently(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  // A connection that becomes idle later is told to close by its last answer.
  server.on('request', (_request, response) => response.setHeader('Connection', 'close'));
  server.closeIdleConnections();
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  await closed;
  clearInterval(sweep);
}
