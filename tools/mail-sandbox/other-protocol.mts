import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { SmtpListener } from './smtp.mts';

const GREETING =
  'HTTP/1.1 400 Bad Request\r\nServer: nginx\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nno\n';

/** A port that speaks HTTP in plain text instead of a mail protocol. */
export async function listenAsOtherProtocol(port: number): Promise<SmtpListener> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    socket.end(GREETING);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
