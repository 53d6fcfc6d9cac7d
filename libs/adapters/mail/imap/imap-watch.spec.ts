import { eventually } from '@testing';
import { plainMail } from '../conformance/mail-samples';
import { type ImapMailbox } from './imap-mailbox';
import { dripping, ScriptedImap } from './testing/scripted-imap';
import { plainMailbox } from './testing/scripted-mailbox';

const SINCE = new Date('2026-01-01T00:00:00Z');
const LONG = 20_000;

describe('Waiting for a change of the inbox', () => {
  let server: ScriptedImap;
  let mailbox: ImapMailbox;
  let stop: AbortController;

  const begin = (options: Parameters<typeof plainMailbox>[1] = {}) => {
    mailbox = plainMailbox(server.port, options);
  };
  beforeEach(async () => {
    server = await ScriptedImap.start();
    stop = new AbortController();
    begin();
  });
  afterEach(async () => {
    stop.abort();
    await mailbox.close();
    await server.stop();
  });

  const wait = (atMostMs = LONG) => mailbox.waitForChange({ atMostMs, signal: stop.signal });
  const sync = (cursor: string | null = null) => mailbox.sync({ cursor, since: SINCE, limit: 50 });
  const idling = () => eventually('the client idles', () => [...server.connections].some(({ isIdle }) => isIdle));
  const arrive = () => {
    server.inbox.add(plainMail({ to: 'grace@scripted.test' }));
    for (const connection of server.connections) connection.say(`* ${server.inbox.messages.length} EXISTS`);
  };

  it('ends when the server reports a message', async () => {
    await sync();
    const waiting = wait();
    await idling();
    arrive();
    expect(await waiting).toBe(true);
  });

  it('ends when the server reports a removed message', async () => {
    arrive();
    await sync();
    const waiting = wait();
    await idling();
    server.inbox.messages = [];
    for (const connection of server.connections) connection.say('* 1 EXPUNGE');
    expect(await waiting).toBe(true);
  });

  it('notices changes since the last sync at once', async () => {
    await sync();
    arrive();
    expect(await wait()).toBe(true);
    expect(server.count('IDLE')).toBe(0);
  });

  it('ends after its timeout without changes', async () => {
    await sync();
    expect(await wait(5)).toBe(false);
  });

  it('ends at once when it is aborted, and releases a usable connection', async () => {
    await sync();
    const waiting = wait();
    await idling();
    stop.abort();
    expect(await waiting).toBe(false);
    await expect(mailbox.listFolders()).resolves.toHaveLength(3);
    expect(server.connected).toBe(1);
  });

  it('does not begin when it is already aborted', async () => {
    stop.abort();
    expect(await wait()).toBe(false);
    expect(server.connected).toBe(0);
  });

  it('lets other calls use the connection meanwhile, and continues', async () => {
    await sync();
    const waiting = wait();
    await idling();
    await mailbox.listFolders();
    await idling();
    arrive();
    expect(await waiting).toBe(true);
    expect(server.connected).toBe(1);
  });

  it('does not start listening while other commands are waiting', async () => {
    await sync();
    const waiting = wait();
    await idling();
    const before = server.count('IDLE');
    const reader = async () => {
      for (let count = 0; count < 10; count += 1) await mailbox.listFolders();
    };
    await Promise.all([reader(), reader(), reader()]);
    await idling();
    // Once after all of them, and possibly once when the readers end.
    expect(server.count('IDLE') - before).toBeLessThanOrEqual(3);
    arrive();
    expect(await waiting).toBe(true);
  });

  it('is one wait for all callers', async () => {
    await sync();
    const waiting = [wait(), wait(), wait(1)];
    expect(await waiting[2]).toBe(false);
    await idling();
    arrive();
    expect(await Promise.all(waiting)).toEqual([true, true, false]);
    expect(server.count('IDLE')).toBe(1);
  });

  it('fails when the connection breaks, and works the next time', async () => {
    await sync();
    const waiting = wait();
    await idling();
    server.cut();
    await expect(waiting).rejects.toMatchObject({ failure: 'temporary' });
    const again = wait();
    await idling();
    arrive();
    expect(await again).toBe(true);
  });

  it('fails when the server sends BYE', async () => {
    await sync();
    const waiting = wait();
    await idling();
    for (const connection of server.connections) connection.end('* BYE Autologout; idle for too long\r\n');
    await expect(waiting).rejects.toMatchObject({
      failure: 'temporary',
      lastReply: { response: 'Autologout; idle for too long' },
    });
  });

  it('notices that a silent connection is dead', async () => {
    begin({ timeoutMs: 300, idleMs: 50 });
    await sync();
    const waiting = wait();
    await idling();
    server.intercept = () => true;
    await expect(waiting).rejects.toMatchObject({ failure: 'temporary' });
  });

  it.each([
    ['takes IDLE and is frozen then', () => undefined],
    ['does not even take IDLE', () => (server.intercept = ({ command }) => command === 'IDLE')],
  ])('soon abandons a server that %s, so that other tasks continue', async (_what, freeze) => {
    begin({ probeMs: 50 });
    await sync();
    freeze();
    const waiting = wait();
    await eventually('the client wants to idle', () => server.count('IDLE') === 1);
    const [frozen] = server.connections;
    server.intercept = ({ connection }) => connection === frozen;
    stop.abort();
    expect(await waiting).toBe(false);
    await expect(mailbox.listFolders()).resolves.toHaveLength(3);
    expect(server.connected).toBe(2);
  });

  it('allows a silent server more time than a pending response', async () => {
    begin({ timeoutMs: 150, idleMs: 250 });
    await sync();
    const waiting = wait();
    await eventually('IDLE was begun a fourth time', () => server.count('IDLE') >= 4);
    expect(server.count('NOOP')).toBeLessThanOrEqual(server.count('IDLE'));
    arrive();
    expect(await waiting).toBe(true);
  });

  it('restarts IDLE before the server’s timeout, and still receives news', async () => {
    begin({ idleMs: 10 });
    await sync();
    const waiting = wait();
    await eventually('IDLE was begun a third time', () => server.count('IDLE') >= 3);
    arrive();
    expect(await waiting).toBe(true);
  });

  it('polls without IDLE', async () => {
    server.capabilities = ['IMAP4rev1'];
    begin({ pollMs: 5 });
    await sync();
    const waiting = wait();
    await eventually('it has asked twice', () => server.count('NOOP') >= 2);
    arrive();
    expect(await waiting).toBe(true);
    expect(server.count('IDLE')).toBe(0);
  });

  it('polls when IDLE is offered but refused', async () => {
    begin({ pollMs: 5 });
    await sync();
    server.intercept = ({ tag, command, connection }) => {
      if (command === 'IDLE') connection.say(`${tag} NO Not today`);
      return command === 'IDLE';
    };
    const waiting = wait();
    await eventually('it has asked twice', () => server.count('NOOP') >= 2);
    arrive();
    expect(await waiting).toBe(true);
  });

  it('polls when the server ends IDLE at once', async () => {
    begin({ pollMs: 5 });
    await sync();
    server.intercept = ({ tag, command, connection }) => {
      if (command === 'IDLE') connection.say('+ idling', `${tag} OK That is all`);
      return command === 'IDLE';
    };
    const waiting = wait();
    await eventually('it has asked five times', () => server.count('NOOP') >= 5);
    expect(server.count('IDLE')).toBe(1);
    arrive();
    expect(await waiting).toBe(true);
  });

  it('closes the connection for other tasks when the server does not end IDLE', async () => {
    begin({ taskTimeoutMs: 100 });
    await sync();
    const waiting = wait();
    await idling();
    server.intercept = dripping('NOOP');
    await expect(mailbox.listFolders()).resolves.toHaveLength(3);
    expect(server.connected).toBe(2);
    server.intercept = () => false;
    await idling();
    arrive();
    expect(await waiting).toBe(true);
  });

  it('fails when the mailbox cannot be reached', async () => {
    await server.stop();
    await expect(wait()).rejects.toMatchObject({ failure: 'temporary', stage: 'connect' });
  });

  it('ends with the session', async () => {
    await sync();
    const waiting = wait();
    await idling();
    await mailbox.close();
    await expect(waiting).rejects.toMatchObject({ failure: 'temporary' });
  });
});
