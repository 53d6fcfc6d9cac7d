import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TlsOptions } from 'node:tls';

/** Self-signed, for receiver.test, localhost and 127.0.0.1, valid from 2020 to 2120; trusted by these tests only. */
export const TEST_CA = readFileSync(join(__dirname, 'server.cert.pem'), 'utf8');
/** The same key and names, valid until the end of 2020. */
export const EXPIRED_CA = readFileSync(join(__dirname, 'expired.cert.pem'), 'utf8');
const TEST_KEY = readFileSync(join(__dirname, 'server.key.pem'), 'utf8');

export interface LocalServer {
  readonly port: number;
  /** Connections accepted so far. */
  connections(): number;
  /** Resolves when the first connection has been closed. */
  readonly disconnected: Promise<void>;
  close(): Promise<void>;
}

export interface Place {
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: any free port. */
  readonly port?: number;
}

/** A real HTTP server. */
export function httpServer(listener: RequestListener, place: Place = {}): Promise<LocalServer> {
  return start(createServer(listener), place);
}

/** The same over TLS, by default with the test certificate. */
export function httpsServer(listener: RequestListener, options: TlsOptions = {}): Promise<LocalServer> {
  return start(createTlsServer({ cert: TEST_CA, key: TEST_KEY, ...options }, listener));
}

/** A TCP server for connections without an answer or without HTTP. */
export function tcpServer(onConnection: (socket: Socket) => void): Promise<LocalServer> {
  return start(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      onConnection(socket);
      // A socket without a reader does not notice the end of the connection.
      socket.resume();
    }),
  );
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = await tcpServer(() => undefined);
  await server.close();
  return server.port;
}

async function start(server: Server | TcpServer, { host = '127.0.0.1', port = 0 }: Place = {}): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const { promise: disconnected, resolve } = Promise.withResolvers<void>();
  server.on('connection', (socket: Socket) => {
    accepted++;
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      resolve();
    });
  });
  await new Promise<void>((done) => server.listen(port, host, done));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => accepted,
    disconnected,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
