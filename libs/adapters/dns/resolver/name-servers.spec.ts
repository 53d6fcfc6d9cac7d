import { FakeClock } from '@testing';
import { NameServers } from './name-servers';

const [FIRST, SECOND, THIRD] = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((host) => ({ host, port: 53 })) as [
  { host: string; port: number },
  { host: string; port: number },
  { host: string; port: number },
];

describe('NameServers', () => {
  const clock = new FakeClock();
  beforeEach(() => clock.freeze(new Date('2026-05-04T12:00:00Z')));

  it('accepts addresses of both families, with and without a port', () => {
    const servers = new NameServers(['10.0.0.1', '10.0.0.1:5353', '[fd00::1]:5353', '[fd00::1]', 'fd00::1'], clock);
    expect(servers.inOrder()).toEqual([
      { host: '10.0.0.1', port: 53 },
      { host: '10.0.0.1', port: 5353 },
      { host: 'fd00::1', port: 5353 },
      { host: 'fd00::1', port: 53 },
      { host: 'fd00::1', port: 53 },
    ]);
  });

  it('moves silent servers to the end until they answer or half a minute has passed', () => {
    const servers = new NameServers(['10.0.0.1', '10.0.0.2', '10.0.0.3'], clock);
    expect(servers.inOrder()).toEqual([FIRST, SECOND, THIRD]);
    servers.wasSilent(FIRST);
    servers.wasSilent(SECOND);
    expect(servers.inOrder()).toEqual([THIRD, FIRST, SECOND]);
    servers.answered(SECOND);
    expect(servers.inOrder()).toEqual([SECOND, THIRD, FIRST]);
    clock.advance(29_999);
    expect(servers.inOrder()).toEqual([SECOND, THIRD, FIRST]);
    clock.advance(1);
    expect(servers.inOrder()).toEqual([FIRST, SECOND, THIRD]);
  });

  it('treats all servers as dead for half a minute after twenty tries without an answer', () => {
    const servers = new NameServers(['10.0.0.1', '10.0.0.2'], clock);
    for (let tries = 0; tries < 20; tries += 1) {
      expect(servers.seemDead).toBe(false);
      servers.wasSilent(FIRST);
      if (tries < 19) servers.wasSilent(SECOND);
    }
    expect(servers.seemDead).toBe(false);
    servers.wasSilent(SECOND);
    expect(servers.seemDead).toBe(true);
    clock.advance(30_000);
    expect(servers.seemDead).toBe(false);
    servers.wasSilent(FIRST);
    servers.wasSilent(SECOND);
    expect(servers.seemDead).toBe(true);
    servers.answered(SECOND);
    expect(servers.seemDead).toBe(false);
  });

  it('uses the machine’s servers by default, and notices a change within a minute', () => {
    let machine = ['10.0.0.1'];
    const servers = new NameServers([], clock, () => machine);
    expect(servers.inOrder()).toEqual([FIRST]);
    machine = ['10.0.0.2'];
    clock.advance(59_999);
    expect(servers.inOrder()).toEqual([FIRST]);
    clock.advance(1);
    expect(servers.inOrder()).toEqual([SECOND]);
  });
});
