import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { OutboundAddressService } from '@platform/outbound';
import { deadline, eventually } from '@testing';
import { MailError } from '../port/mail.errors';
import { type ImapMailbox } from './imap-mailbox';
import { type Asked, dripping, ScriptedImap } from './testing/scripted-imap';
import { CANARY, plainMailbox } from './testing/scripted-mailbox';

const SINCE = new Date('2026-01-01T00:00:00Z');

const overlong = ({ connection }: Asked) => connection.say(`* ${'x'.repeat(17 * 1024 * 1024)}`);

describe('The connection to an IMAP server', () => {
  let server: ScriptedImap;
  const opened: ImapMailbox[] = [];
  const kept = (mailbox: ImapMailbox): ImapMailbox => {
    opened.push(mailbox);
    return mailbox;
  };
  const open = () => kept(plainMailbox(server.port));

  beforeEach(async () => {
    server = await ScriptedImap.start();
  });
  afterEach(async () => {
    for (const mailbox of opened.splice(0)) await mailbox.close();
    await server.stop();
  });

  const at =
    (command: string, answer: (asked: Asked) => void) =>
    (asked: Asked): boolean => {
      if (asked.command !== command) return false;
      answer(asked);
      return true;
    };

  it('is opened on first use and shared by all tasks', async () => {
    const mailbox = open();
    expect(server.connected).toBe(0);
    await Promise.all([
      mailbox.listFolders(),
      mailbox.listFolders(),
      mailbox.sync({ cursor: null, since: SINCE, limit: 5 }),
    ]);
    expect(server.connected).toBe(1);
  });

  it('is closed when idle, and opened again', async () => {
    const mailbox = kept(plainMailbox(server.port, { keepMs: 1 }));
    await mailbox.listFolders();
    const [connection] = server.connections;
    if (connection && !connection.socket.closed) await once(connection.socket, 'close');
    expect(server.count('LOGOUT')).toBe(1);
    await mailbox.listFolders();
    expect(server.connected).toBe(2);
  });

  it('is replaced silently when it was lost', async () => {
    const mailbox = open();
    await mailbox.listFolders();
    server.cut();
    await expect(mailbox.listFolders()).resolves.toHaveLength(3);
    expect(server.connected).toBe(2);
  });

  it('fails running and later tasks when the session is closed', async () => {
    const mailbox = open();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    server.intercept = at('LIST', () => resolve());
    const listing = mailbox.listFolders();
    const behind = mailbox.listFolders();
    await asked;
    await mailbox.close();
    await expect(listing).rejects.toMatchObject({ failure: 'temporary' });
    await expect(behind).rejects.toMatchObject({ failure: 'temporary' });
    await expect(mailbox.listFolders()).rejects.toMatchObject({ failure: 'temporary' });
  });

  it('fails a task without a response', async () => {
    const mailbox = kept(plainMailbox(server.port, { timeoutMs: 400 }));
    server.intercept = at('EXAMINE', () => undefined);
    const syncing = mailbox.sync({ cursor: null, since: SINCE, limit: 5 });
    await expect(syncing).rejects.toMatchObject({ failure: 'temporary', stage: 'request' });
  });

  it('is not occupied forever by a server that never completes a command', async () => {
    const mailbox = kept(plainMailbox(server.port, { taskTimeoutMs: 100 }));
    server.intercept = dripping('EXAMINE');
    const syncing = mailbox.sync({ cursor: null, since: SINCE, limit: 5 });
    await expect(syncing).rejects.toMatchObject({ failure: 'temporary', message: expect.stringContaining('in time') });
    await expect(mailbox.listFolders()).resolves.toHaveLength(3);
  });

  it('does not retain read data', async () => {
    const { uid } = server.inbox.add(`Subject: big\r\n\r\n${'x'.repeat(1_000)}`);
    const mailbox = open();
    const ref = { folder: 'INBOX', id: `7:${uid}` };
    const read = new WeakRef(await mailbox.fetchRaw(ref, { maxBytes: 10_000 }));
    await mailbox.listFolders();
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    expect(read.deref()).toBeUndefined();
  });

  describe('reports the stage of a failure:', () => {
    const failing = async (mailbox: ImapMailbox): Promise<MailError> => {
      const error = await mailbox.listFolders().then(
        () => new Error('It did not fail'),
        (failed: unknown) => failed,
      );
      expect(error).toBeInstanceOf(MailError);
      expect(inspect(error, { depth: 20 })).not.toContain(CANARY);
      expect(inspect(error, { depth: 20 })).not.toContain(Buffer.from(CANARY).toString('base64'));
      return error as MailError;
    };

    it('a host in a forbidden network', async () => {
      const guard = new OutboundAddressService({ allowPrivate: false });
      const error = await failing(kept(plainMailbox(993, { guard })));
      expect(error.message).toContain('not allowed (loopback)');
      expect(error).toMatchObject({ failure: 'needs-human', stage: 'address' });
      expect(server.connected).toBe(0);
    });

    it.each([
      ['ENOTFOUND', 'needs-human'],
      ['ETIMEOUT', 'temporary'],
    ])('a name that cannot be resolved (%s)', async (code, failure) => {
      const lookup = () => Promise.reject(Object.assign(new Error('query failed'), { code }));
      const guard = new OutboundAddressService({ allowPrivate: true, lookup });
      const error = await failing(kept(plainMailbox(server.port, { guard }, { host: 'imap.example.com' })));
      expect(error).toMatchObject({ failure, stage: 'resolve' });
    });

    it("a port that is not IMAP's", async () => {
      const guard = new OutboundAddressService({ allowPrivate: false, lookup: () => Promise.resolve(['1.1.1.1']) });
      const error = await failing(kept(plainMailbox(25, { guard }, { host: 'imap.example.com' })));
      expect(error).toMatchObject({ failure: 'needs-human', stage: 'address' });
    });

    it('an unreachable server', async () => {
      const free = createServer().listen(0, '127.0.0.1');
      await once(free, 'listening');
      const { port } = free.address() as AddressInfo;
      free.close();
      const error = await failing(kept(plainMailbox(port)));
      expect(error).toMatchObject({ failure: 'temporary', stage: 'connect', lastReply: null });
      expect(error.message).toContain('ECONNREFUSED');
    });

    it.each([
      '220 mail.example.com ESMTP Postfix',
      '+OK POP3 ready',
      'SSH-2.0-OpenSSH_9.2',
      'HTTP/1.1 400 Bad Request',
    ])('another protocol with the greeting %s', async (banner) => {
      server.greeting = banner;
      const error = await failing(open());
      expect(error).toMatchObject({ failure: 'needs-human', stage: 'greeting', lastReply: { response: banner } });
    });

    it('a silent server', async () => {
      server.greeting = null;
      const error = await failing(kept(plainMailbox(server.port, { timeoutMs: 150 })));
      expect(error).toMatchObject({ failure: 'temporary', stage: 'greeting' });
    });

    it('a server that refuses every connection', async () => {
      server.greeting = '* BYE Too many connections from your address';
      const error = await failing(open());
      expect(error.failure).toBe('temporary');
      expect(error.lastReply?.response).toBe('Too many connections from your address');
    });

    it('TLS with a server without it', async () => {
      const mailbox = kept(plainMailbox(server.port, {}, { secure: true }));
      const message = `The IMAP server does not speak TLS from the first byte on this port; it may expect STARTTLS`;
      const said = `${message} (ERR_SSL_WRONG_VERSION_NUMBER)`;
      expect(await failing(mailbox)).toMatchObject({
        failure: 'temporary',
        stage: 'tls',
        message: said,
        lastReply: null,
      });
    });

    it('plain text with a server that expects TLS', async () => {
      server.greeting = null;
      const error = await failing(kept(plainMailbox(server.port, { timeoutMs: 50 })));
      expect(error).toMatchObject({ stage: 'greeting', message: expect.stringContaining('may expect TLS') });
    });

    it.each([
      ['the greeting', () => (server.greeting = `* ${'x'.repeat(17 * 1024 * 1024)}`)],
      ['the answer to the login', () => (server.intercept = at('LOGIN', overlong))],
    ])('an endless line at %s', async (_what, begin) => {
      begin();
      const error = await failing(open());
      expect(error).toMatchObject({ failure: 'temporary', stage: 'greeting' });
      expect(error.message).toBe('The service on this port is not IMAP (LineTooLarge)');
    });

    it('a stripped STARTTLS, without sending the password', async () => {
      const error = await failing(kept(plainMailbox(server.port, { allowPlaintext: false })));
      const message = 'The IMAP server offers no encryption (STARTTLS)';
      expect(error).toMatchObject({ failure: 'temporary', stage: 'tls', message });
      expect(server.asked.join('\n')).not.toMatch(/LOGIN|AUTHENTICATE/);
    });

    it('a STARTTLS that fails', async () => {
      server.capabilities = ['IMAP4rev1', 'STARTTLS'];
      server.intercept = at('STARTTLS', ({ tag, connection }) => connection.end(`${tag} OK begin\r\nnonsense`));
      const error = await failing(kept(plainMailbox(server.port, { allowPlaintext: false })));
      expect(error.stage).toBe('tls');
      expect(error.message).toMatch(/^No trusted TLS connection to the IMAP server \([A-Z_]+\)$/);
    });

    it('a disabled login', async () => {
      server.capabilities = ['IMAP4rev1', 'LOGINDISABLED'];
      expect(await failing(open())).toMatchObject({ failure: 'needs-human', stage: 'login' });
    });

    it.each([
      ['NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)', 'needs-human', 'AUTHENTICATIONFAILED'],
      ['NO Login failed.', 'needs-human', null],
      ['NO [ALERT] Application-specific password required', 'needs-human', 'ALERT'],
      ['NO [UNAVAILABLE] Temporary authentication failure.', 'temporary', 'UNAVAILABLE'],
      ['NO [INUSE] The mailbox is in use', 'temporary', 'INUSE'],
      ['NO [LIMIT] Too many connections', 'temporary', 'LIMIT'],
      ['NO Too many simultaneous connections. (Failure)', 'temporary', null],
      ['NO Server Unavailable. 15', 'temporary', null],
      ['BAD User is authenticated but not connected.', 'temporary', null],
    ])('a login with the reply %s', async (answer, failure, code) => {
      server.intercept = at('LOGIN', ({ tag, connection }) => connection.say(`${tag} ${answer}`));
      const error = await failing(open());
      expect(error).toMatchObject({ failure, stage: 'login', lastReply: { code, command: 'LOGIN' } });
      expect(error.lastReply?.response).toBe(answer);
    });

    it('a server that repeats the password', async () => {
      server.intercept = at('LOGIN', ({ tag, connection }) => connection.say(`${tag} NO wrong password "${CANARY}"`));
      const error = await failing(open());
      expect(error.lastReply?.response).toBe('NO wrong password "[redacted]"');
    });

    it('a server that repeats the SASL form of the password', async () => {
      server.capabilities = [...server.capabilities, 'AUTH=PLAIN'];
      let login = '';
      server.intercept = ({ tag, command, connection }) => {
        if (command === 'AUTHENTICATE') connection.say('+ ');
        // The reply to it has neither tag nor command.
        else if (command === '') connection.say(`${login} NO what is ${tag}?`);
        login = tag;
        return command === 'AUTHENTICATE' || command === '';
      };
      const error = await failing(open());
      expect(error.lastReply?.response).toBe('NO what is [redacted]?');
    });

    it.each([
      ['the greeting', () => (server.greeting = null), () => server.connected === 1, 'greeting'],
      [
        'the login',
        () => (server.intercept = at('LOGIN', () => undefined)),
        () => server.count('LOGIN') === 1,
        'login',
      ],
    ])('a server that exceeds the deadline of its caller with %s', async (_what, begin, isThere, stage) => {
      begin();
      const { signal, strike } = deadline();
      const verifying = open().verify(signal);
      await eventually(`it waits for ${stage}`, isThere);
      strike();
      const result = await verifying;
      expect(result).toMatchObject({ ok: false, failure: 'temporary', stage });
      expect(result).toHaveProperty('message', 'The IMAP server did not answer in time');
    });

    it('a server that disconnects at the login', async () => {
      server.intercept = at('LOGIN', ({ connection }) => connection.socket.destroy());
      expect(await failing(open())).toMatchObject({ failure: 'temporary', stage: 'login' });
    });
  });

  describe('with an access token', () => {
    const tokens = ['stale-token', 'fresh-token'];
    let given: (string | undefined)[];
    const login = (refused?: string) => {
      given.push(refused);
      const accessToken = tokens[refused === undefined ? 0 : 1] as string;
      return Promise.resolve({ method: 'xoauth2', user: 'grace', accessToken } as const);
    };
    beforeEach(() => {
      given = [];
      server.capabilities = ['IMAP4rev1', 'AUTH=XOAUTH2', 'SASL-IR'];
    });
    const answering = (good: string) =>
      at('AUTHENTICATE', ({ tag, args, connection }) => {
        const token = Buffer.from(args.split(' ')[1] ?? '', 'base64').toString();
        if (token.includes(good)) connection.say(`${tag} OK welcome`);
        else connection.say(`${tag} NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)`);
      });

    it('requests another token once when the first is refused', async () => {
      server.intercept = answering('fresh-token');
      await expect(kept(plainMailbox(server.port, {}, { login })).listFolders()).resolves.toHaveLength(3);
      expect(given).toEqual([undefined, 'stale-token']);
    });

    it('reports that a person is needed when the new token is refused too', async () => {
      server.intercept = answering('no such token');
      const mailbox = kept(plainMailbox(server.port, {}, { login }));
      await expect(mailbox.listFolders()).rejects.toMatchObject({ failure: 'needs-human', stage: 'login' });
      expect(given).toEqual([undefined, 'stale-token']);
    });

    it('hides unknown errors of the token source', async () => {
      const login = () => Promise.reject(new Error(`cannot decrypt ${CANARY}`));
      const mailbox = kept(plainMailbox(server.port, {}, { login }));
      const error = await mailbox.listFolders().catch((failed: unknown) => failed);
      expect(error).toMatchObject({ failure: 'temporary', stage: 'login' });
      expect(inspect(error, { depth: 20 })).not.toContain(CANARY);
    });

    it('requests no other token when the server supports none', async () => {
      server.capabilities = ['IMAP4rev1', 'AUTH=PLAIN'];
      const mailbox = kept(plainMailbox(server.port, {}, { login }));
      await expect(mailbox.listFolders()).rejects.toMatchObject({ failure: 'needs-human', stage: 'login' });
      expect(given).toEqual([undefined]);
    });

    it('passes on errors of the token source', async () => {
      const broken = new MailError({ failure: 'needs-human', stage: 'login', message: 'The grant is gone' });
      const mailbox = kept(plainMailbox(server.port, {}, { login: () => Promise.reject(broken) }));
      await expect(mailbox.listFolders()).rejects.toBe(broken);
      expect(server.connected).toBe(0);
    });
  });

  it('verifies with a separate login, and returns the failure without throwing', async () => {
    const mailbox = open();
    expect(await mailbox.verify()).toEqual({ ok: true });
    server.intercept = at('LOGIN', ({ tag, connection }) => connection.say(`${tag} NO [AUTHENTICATIONFAILED] no`));
    expect(await mailbox.verify()).toMatchObject({ ok: false, failure: 'needs-human', stage: 'login' });
  });

  it('is busy, not faulty, when other work holds the connection until the deadline', async () => {
    const mailbox = open();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    server.intercept = at('LIST', () => resolve());
    const listing = mailbox.listFolders().catch((failed: unknown) => failed);
    await asked;
    const result = await mailbox.verify(AbortSignal.timeout(1));
    expect(result).toMatchObject({ ok: false, failure: 'temporary', stage: 'busy' });
    expect(server.connected).toBe(1);
    await mailbox.close();
    expect(await listing).toBeInstanceOf(MailError);
  });

  it('stops connecting when it is aborted', async () => {
    server.greeting = null;
    const stop = new AbortController();
    const verifying = open().verify(stop.signal);
    stop.abort();
    expect(await verifying).toMatchObject({ ok: false, failure: 'temporary' });
  });
});
