import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ImapFlow, type ImapFlowOptions } from 'imapflow';
import { createTransport } from 'nodemailer';
import { startMailSandbox, type MailSandbox } from './sandbox.mts';

const CONNECTIONS = 300;

describe('the mail sandbox', () => {
  let dataDir: string;
  let sandbox: MailSandbox;
  let ca: Buffer;

  const lines: string[] = [];

  const start = (): Promise<MailSandbox> =>
    startMailSandbox({ dataDir, prospects: { delayMs: 0 }, onProgress: (line) => lines.push(line) });

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sandbox-'));
    sandbox = await start();
    ca = await readFile(sandbox.caFile);
  });
  afterAll(async () => {
    await sandbox.stop();
    await rm(dataDir, { recursive: true, maxRetries: 3 });
  });

  const api = async <T,>(method: string, path: string, body?: string): Promise<T> => {
    const answer = await fetch(`${sandbox.webUrl}${path}`, { method, ...(body !== undefined && { body }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };

  const client = (user: string, more: Partial<ImapFlowOptions> = {}): ImapFlow =>
    new ImapFlow({
      host: 'localhost',
      port: sandbox.imap.port,
      doSTARTTLS: true,
      tls: { ca },
      auth: { user, pass: 'sandbox-password' },
      logger: false,
      ...more,
    });

  async function within<T>(
    user: string,
    work: (imap: ImapFlow) => Promise<T>,
    more?: Partial<ImapFlowOptions>,
  ): Promise<T> {
    const imap = client(user, more);
    imap.on('error', () => {});
    try {
      await imap.connect();
      return await work(imap);
    } finally {
      imap.close();
    }
  }

  const send = (to: string, from = 'me@sender.test'): Promise<unknown> =>
    createTransport({
      host: 'localhost',
      port: sandbox.smtp.port,
      requireTLS: true,
      tls: { ca },
      auth: { user: from, pass: 'sandbox-password' },
    }).sendMail({ from, to, subject: 'Hello', text: 'Hi', messageId: `<${to}>` });

  it.each([
    ['STARTTLS', () => ({})],
    ['implicit TLS', () => ({ port: sandbox.imap.tlsPort, secure: true, doSTARTTLS: false })],
  ])('shows by IMAP over %s the mail sent by SMTP, with a certificate of its CA', async (how, more) => {
    const to = `${how.replace(' ', '.')}@leads.test`;
    await send(to);
    const subject = await within(
      to,
      async (imap) => {
        await imap.mailboxOpen('INBOX');
        return (await imap.fetchOne('1', { envelope: true })) as { envelope: { subject: string } };
      },
      more(),
    );
    expect(subject.envelope.subject).toBe('Hello');
  });

  it('offers the capabilities of a sync and the usual subscribed folders', async () => {
    await within('caps@leads.test', async (imap) => {
      for (const capability of ['QRESYNC', 'CONDSTORE', 'IDLE', 'MOVE', 'UIDPLUS', 'SPECIAL-USE'])
        expect([...imap.capabilities.keys()]).toContain(capability);
      const folders = await imap.list();
      expect(Object.fromEntries(folders.map(({ path, specialUse }) => [path, specialUse]))).toEqual({
        INBOX: '\\Inbox',
        Sent: '\\Sent',
        Drafts: '\\Drafts',
        Trash: '\\Trash',
        Junk: '\\Junk',
        Archive: '\\Archive',
      });
      expect(folders.every(({ subscribed }) => subscribed)).toBe(true);
    });
  });

  it('runs a DNS server with the mail servers', async () => {
    const resolver = new Resolver({ timeout: 5_000, tries: 1 });
    resolver.setServers([`${sandbox.dns?.host}:${sandbox.dns?.port}`]);
    expect(await resolver.resolveMx('prospects.test')).toMatchObject([{ exchange: 'mail.sandbox.test' }]);
  });

  it('delivers mail to the spam folder and to promotions, visible by IMAP', async () => {
    const user = 'placed@leads.test';
    const placing = (policy: object): Promise<object> =>
      api('PUT', `/api/mailboxes/${user}/placement`, JSON.stringify(policy));
    await placing({ promotions: 1 });
    await within(user, async (imap) => {
      const folders = async (): Promise<object> =>
        Object.fromEntries((await imap.list()).map(({ path, specialUse }) => [path, specialUse]));
      expect(await folders()).toMatchObject({ Junk: '\\Junk', Promotions: undefined });
      await send(user);
      await placing({ spam: 1 });
      await send(user);
      await placing({});
      await send(user);
      for (const path of ['INBOX', 'Junk', 'Promotions']) {
        expect([path, Object(await imap.status(path, { messages: true })).messages]).toEqual([path, 1]);
      }
    });
    const { messages } = await api<{ messages: { placed: object }[] }>('GET', `/api/messages?to=${user}`);
    expect(messages.map(({ placed }) => placed)).toEqual([{}, { [user]: 'spam' }, { [user]: 'promotions' }]);
  });

  it('notifies an idle client of new mail', async () => {
    await within('idle@leads.test', async (imap) => {
      await imap.mailboxOpen('INBOX');
      const news = once(imap, 'exists');
      void imap.idle();
      await send('idle@leads.test');
      expect(((await news) as [{ count: number }])[0].count).toBe(1);
    });
  });

  it('accepts one password and one token', async () => {
    const login = (auth: ImapFlowOptions['auth']): Promise<boolean> =>
      within('auth@leads.test', (imap) => Promise.resolve(imap.authenticated !== false), { auth }).catch(() => false);
    const user = 'auth@leads.test';
    expect(await login({ user, pass: 'sandbox-password' })).toBe(true);
    expect(await login({ user, pass: 'other' })).toBe(false);
    expect(await login({ user, accessToken: 'secret-token' })).toBe(true);
    expect(await login({ user, accessToken: 'expired-token' })).toBe(false);
  });

  it('changes UIDVALIDITY on request, and renumbers the messages', async () => {
    const user = 'validity@leads.test';
    await api('POST', `/api/deliver?to=${user}`, 'Subject: one\r\n\r\n');
    const look = (): Promise<{ validity: bigint; uids: number[] }> =>
      within(user, async (imap) => {
        const { uidValidity } = await imap.mailboxOpen('INBOX');
        return { validity: uidValidity, uids: (await imap.search({ all: true }, { uid: true })) || [] };
      });
    const seen = [await look()];
    expect(await look()).toEqual(seen[0]);
    for (let n = 0; n < 2; n++) {
      await api('POST', `/api/mailboxes/${user}/uidvalidity`);
      seen.push(await look());
    }
    expect(new Set(seen.map(({ validity }) => validity)).size).toBe(3);
    expect(seen.map(({ uids }) => uids)).toEqual([[1], [1], [1]]);
  });

  it('fills a folder, and deletes a mailbox', async () => {
    const user = 'full@leads.test';
    await api('POST', `/api/deliver-many?to=${user}&folder=Archive&count=1000`);
    const count = (): Promise<number> =>
      within(user, async (imap) => Object(await imap.status('Archive', { messages: true })).messages as number);
    expect(await count()).toBe(1000);
    await api('DELETE', `/api/mailboxes/${user}`);
    expect(await count()).toBe(0);
  });

  it('delivers a prospect’s answer to the sender’s inbox', async () => {
    await send('reply-positive.x@prospects.test', 'writer@sender.test');
    await within('writer@sender.test', async (imap) => {
      await imap.mailboxOpen('INBOX');
      const found = async (): Promise<number> => ((await imap.search({ from: 'reply-positive.x' })) || []).length;
      while ((await found()) === 0) await imap.noop();
      expect(await found()).toBe(1);
    });
  });

  it(`holds ${CONNECTIONS} concurrent connections`, async () => {
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => loggedIn(sandbox.imap.port, n)));
    expect(sockets.filter((socket) => !socket.destroyed)).toHaveLength(CONNECTIONS);
    for (const socket of sockets) socket.destroy();
  });

  it('runs once per folder, and reopens with the same ports and content', async () => {
    await send('again@leads.test');
    await expect(start()).rejects.toThrow('is already running');
    const { stop: _stop, ...before } = sandbox;
    await sandbox.stop();
    await expect(fetch(sandbox.webUrl)).rejects.toThrow('fetch failed');
    sandbox = await start();
    expect(sandbox).toMatchObject(before);
    const { messages } = await api<{ messages: object[] }>('GET', '/api/messages?to=again@leads.test');
    expect(messages).toMatchObject([{ messageId: '<again@leads.test>', subject: 'Hello' }]);
  });

  it('restarts and logs a crashed IMAP server while the rest continues', async () => {
    lines.length = 0;
    await kill(dataDir);
    while (lines.length === 0) await pause(20);
    expect(lines).toEqual([expect.stringMatching(/^mail sandbox: dovecot stopped \(.*\); it restarts$/)]);
    await send('meanwhile@leads.test');
    const exists = (): Promise<number> =>
      within('meanwhile@leads.test', async (imap) => (await imap.mailboxOpen('INBOX')).exists);
    for (;;) {
      const found = await pause(20)
        .then(exists, exists)
        .catch(() => undefined);
      if (found === undefined) continue;
      expect(found).toBe(1);
      return;
    }
  });

  it('speaks HTTP on a port where clients expect mail', async () => {
    const socket = connect(sandbox.smtp.otherProtocolPort, '127.0.0.1').setEncoding('utf8');
    const [said] = (await once(socket, 'data')) as [string];
    expect(said).toMatch(/^HTTP\/1\.1 400/);
    socket.destroy();
  });
});

/** Stops the IMAP server of a data folder, which its command line contains. */
async function kill(dataDir: string): Promise<void> {
  for (const pid of await readdir('/proc')) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(dataDir) && command.includes('dovecot')) process.kill(Number(pid), 'SIGKILL');
  }
}

/** A connection after a LOGIN, without a client library. */
async function loggedIn(port: number, n: number): Promise<ReturnType<typeof connect>> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let said = '';
  socket.write(`a LOGIN many${n}@leads.test sandbox-password\r\n`);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (/^a (?:OK|NO|BAD)/m.test(said)) break;
  }
  if (!/^a OK/m.test(said)) throw new Error(said);
  return socket;
}
