import { getConnectionToken } from '@nestjs/mongoose';
import { eventually } from '@testing';
import { type Connection } from 'mongoose';
import { type Socket } from 'node:net';
import { type Faulty, startBehind } from './behind';

/** The part of the driver’s internals that this test uses. */
interface Monitor {
  connection: { socket: Socket } | null;
  monitorId: { lastExecutionEnded: number };
  requestCheck(): void;
}

/**
 * When a server drops all connections at once, a failed operation makes the driver check the server in the same
 * iteration of the event loop in which the monitor’s socket is being destroyed. Driver 7.8 then waits for that
 * socket’s `drain`, which never comes, and never checks again: libs/platform/database/mongo-driver-patch.ts ends that
 * wait.
 */
describe('a check of MongoDB over a socket that is being destroyed', () => {
  let behind: Faulty;

  beforeAll(async () => {
    behind = await startBehind('MONGODB_URI');
  });
  afterAll(() => behind.close());

  const health = async () => (await behind.platform.api.get('/health/ready')).status;

  it('does not stop the monitoring for ever', async () => {
    const { platform, proxy } = behind;
    const client = platform.app.get<Connection>(getConnectionToken()).getClient();
    const { topology } = client as unknown as { topology: { s: { servers: Map<string, { monitor: Monitor }> } } };
    const [{ monitor }] = [...topology.s.servers.values()] as [{ monitor: Monitor }];
    await eventually('the monitor has a connection of its own', () => monitor.connection !== null);

    monitor.monitorId.lastExecutionEnded = -Infinity; // makes the driver check now instead of half a second after its last check
    monitor.connection!.socket.destroy();
    monitor.requestCheck();

    const gone = proxy.at('ping', 'cut'); // a broken connection in use makes the driver check the server
    expect(await health()).toBe(503);
    await gone;
    expect(await health()).toBe(503);
    await proxy.restore();
    await eventually('ready again', async () => (await health()) === 200);
  });
});
