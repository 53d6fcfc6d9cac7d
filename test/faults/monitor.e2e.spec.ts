import { getConnectionToken } from '@nestjs/mongoose';
import { eventually } from '@testing';
import { type Connection } from 'mongoose';
import { type Socket } from 'node:net';
import { type Faulty, startBehind } from './behind';

/** As far as this test reaches into the driver. */
interface Monitor {
  connection: { socket: Socket } | null;
  monitorId: { lastExecutionEnded: number };
  requestCheck(): void;
}

/**
 * When a server drops all connections at once, an operation's failure makes the driver look at the server in the very
 * turn of the event loop in which the socket for looking is being destroyed. Driver 7.8 then waits for that socket's
 * `drain`, which never comes, and never looks again: libs/platform/database/mongo-driver-patch.ts ends that wait.
 */
describe('a look at MongoDB over a socket that is just being destroyed', () => {
  let behind: Faulty;

  beforeAll(async () => {
    behind = await startBehind('MONGODB_URI');
  });
  afterAll(() => behind.close());

  const health = async () => (await behind.platform.api.get('/health/ready')).status;

  it('does not blind the process for ever', async () => {
    const { platform, proxy } = behind;
    const client = platform.app.get<Connection>(getConnectionToken()).getClient();
    const { topology } = client as unknown as { topology: { s: { servers: Map<string, { monitor: Monitor }> } } };
    const [{ monitor }] = [...topology.s.servers.values()] as [{ monitor: Monitor }];
    await eventually('the driver watches over a connection of its own', () => monitor.connection !== null);

    monitor.monitorId.lastExecutionEnded = -Infinity; // the driver looks now instead of half a second after its last look
    monitor.connection!.socket.destroy();
    monitor.requestCheck();

    const gone = proxy.at('ping', 'cut'); // a connection that breaks in use makes the driver doubt the server
    expect(await health()).toBe(503);
    await gone;
    expect(await health()).toBe(503);
    await proxy.restore();
    await eventually('ready again', async () => (await health()) === 200);
  });
});
