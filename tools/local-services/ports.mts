import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createConnection, createServer } from 'node:net';

/**
 * Below the ephemeral ports of the kernel (from 32768, ip(7)): a connection or server of another process could take one
 * of those between the check and the bind.
 */
const CHOSEN = { from: 15_000, below: 30_000 };

/** Returns a port that was free a moment ago; the caller that binds it must expect that it is in use. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(CHOSEN.from, CHOSEN.below);
    if (await portIsFree(port)) return port;
  }
}

/** True when this machine can listen on the port, on every interface as the applications do. */
export async function portIsFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', undefined]) {
    const server = createServer();
    const free = await new Promise<boolean>((done) => {
      server.once('error', () => done(false)).listen({ port, host }, () => done(true));
    });
    await new Promise((done) => server.close(done));
    if (!free) return false;
  }
  return true;
}

/** True when this machine can receive datagrams on the loopback port. */
export async function udpPortIsFree(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  const free = await new Promise<boolean>((done) => {
    socket.once('error', () => done(false)).bind(port, '127.0.0.1', () => done(true));
  });
  await new Promise<void>((done) => socket.close(done));
  return free;
}

async function accepts(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = createConnection(port, host);
  const open = await new Promise<boolean>((done) => {
    socket.once('connect', () => done(true)).once('error', () => done(false));
  });
  socket.destroy();
  return open;
}

/** Waits until a server listens on the port; `failed` runs between attempts and ends the wait by throwing. */
export async function untilAccepts(port: number, failed: () => void, limitMs = 60_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    failed();
    if (await accepts(port)) return;
    if (Date.now() > deadline) throw new Error(`nothing listens on port ${port} after ${limitMs / 1000} s`);
    await new Promise((done) => setTimeout(done, 30));
  }
}
