/** @jest-environment node */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { mongo } from 'mongoose';
import {
  type DriverConnection,
  driverConnection,
  type DriverConnectionClass,
  endWritesWithTheirConnection,
} from './mongo-driver-patch';

const nextTick = () => new Promise((resolve) => setImmediate(resolve));
const OPTIONS = { agreedCompressor: 'none' };
const command = (bytes = 100) => ({ toBin: () => Promise.resolve([Buffer.alloc(bytes)]) });
/** More than the buffers of both ends can hold. */
const TOO_MUCH = 32 * 1024 * 1024;

const Unpatched = driverConnection();
const Patched: DriverConnectionClass = class extends Unpatched {};
endWritesWithTheirConnection(Patched);

describe('a write of the MongoDB driver', () => {
  let server: Server;
  let accepted: Socket[];

  beforeAll(async () => {
    accepted = [];
    server = createServer({ pauseOnConnect: true }, (socket) => accepted.push(socket.on('error', () => {})));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    for (const socket of accepted) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  async function open(Connection: DriverConnectionClass): Promise<{ connection: DriverConnection; socket: Socket }> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const connection = new Connection(socket, { id: 1, generation: 0 });
    // The server disappears first.
    connection.on('error', () => {});
    return { connection, socket };
  }

  async function closed(socket: Socket): Promise<void> {
    if (!socket.closed) await once(socket, 'close');
    for (let round = 0; round < 10; round++) await nextTick();
  }

  it('hangs without the patch when its socket was just destroyed (otherwise remove mongo-driver-patch.ts)', async () => {
    const { connection, socket } = await open(Unpatched);
    let ended = false;
    socket.destroy();
    connection.writeCommand(command(), OPTIONS).then(
      () => (ended = true),
      () => (ended = true),
    );
    await closed(socket);
    expect(ended).toBe(false);
  });

  it('fails when its socket was just destroyed', async () => {
    const { connection, socket } = await open(Patched);
    socket.destroy();
    await expect(connection.writeCommand(command(), OPTIONS)).rejects.toBeInstanceOf(mongo.MongoNetworkError);
  });

  it('fails when its connection was closed long ago', async () => {
    const { connection, socket } = await open(Patched);
    socket.destroy();
    await closed(socket);
    await expect(connection.writeCommand(command(), OPTIONS)).rejects.toBeInstanceOf(mongo.MongoNetworkError);
  });

  it('fails when its connection closes while it waits for buffer space', async () => {
    const { connection, socket } = await open(Patched);
    const writing = connection.writeCommand(command(TOO_MUCH), OPTIONS);
    await nextTick();
    expect(socket.writableNeedDrain).toBe(true);
    socket.destroy();
    await expect(writing).rejects.toBeInstanceOf(mongo.MongoNetworkError);
  });

  it('ends as before, with or without a wait for buffer space, and leaves no listener', async () => {
    const { connection, socket } = await open(Patched);
    const listeners = connection.listenerCount('close');
    await connection.writeCommand(command(), OPTIONS);
    const writing = connection.writeCommand(command(TOO_MUCH), OPTIONS);
    expect(connection.listenerCount('close')).toBe(listeners + 1);
    accepted.at(-1)!.resume();
    await writing;
    expect(connection.listenerCount('close')).toBe(listeners);
    socket.destroy();
    await closed(socket);
  });

  it('passes on the error of the original', async () => {
    const { connection, socket } = await open(Patched);
    const refused = { toBin: () => Promise.reject(new Error('cannot be compressed')) };
    await expect(connection.writeCommand(refused, OPTIONS)).rejects.toThrow('cannot be compressed');
    socket.destroy();
    await closed(socket);
  });
});

it.each([
  ['no such class', undefined],
  ['no such method', class {}],
  [
    'another kind of class',
    class {
      writeCommand(): void {}
    },
  ],
])('rejects a driver whose method is missing or different (%s)', (_name, found) => {
  expect(() => endWritesWithTheirConnection(found as unknown as DriverConnectionClass)).toThrow(
    'review mongo-driver-patch.ts',
  );
});
