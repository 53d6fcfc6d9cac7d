import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { freePort, udpPortIsFree } from './ports.mts';

describe('ports for datagrams', () => {
  it('are free until a socket is bound to them, and again after it closes', async () => {
    const port = await freePort();
    expect(await udpPortIsFree(port)).toBe(true);
    const taken = createSocket('udp4').bind(port, '127.0.0.1');
    await once(taken, 'listening');
    expect(await udpPortIsFree(port)).toBe(false);
    taken.close();
    await once(taken, 'close');
    expect(await udpPortIsFree(port)).toBe(true);
  });
});
