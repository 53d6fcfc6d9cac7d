import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { createTransport, type SMTPTransportOptions } from 'nodemailer';
import { eventually } from '../../libs/testing/eventually.ts';
import { AcceptedLog, parseAccepted, type AcceptedMail } from './accepted-log.mts';
import { HandoverLog, type HandoverMail } from './handover-log.mts';
import { Maildirs } from './maildir.mts';
import { PlacementPolicies } from './placement-policies.mts';
import { asXoauth2 } from './smtp-auth.mts';
import { SmtpSandbox, type SmtpListener } from './smtp.mts';
import { MessageStore } from './store.mts';

interface SendError {
  code?: string;
  responseCode?: number;
  response?: string;
  message: string;
}

describe('the SMTP server', () => {
  let folder: string;
  let ca: Buffer;
  let log: AcceptedLog;
  let store: MessageStore;
  let starttls: SmtpListener;
  let implicit: SmtpListener;
  let broken: SmtpListener;
  /** A test that controls the order sets a promise here and resolves it. */
  let beforeLogged: (() => Promise<void>) | undefined;
  const seen: AcceptedMail[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'smtp-'));
    const file = (name: string): Promise<Buffer> => readFile(join(import.meta.dirname, 'tls', name));
    const [key, cert, brokenKey, brokenCert] = await Promise.all(
      ['server.key', 'server.crt', 'broken.key', 'broken.crt'].map(file),
    );
    ca = await file('ca.crt');
    log = await AcceptedLog.open(join(folder, 'accepted.jsonl'));
    store = await MessageStore.open(join(folder, 'messages'), join(folder, 'accepted.jsonl'), 1000);
    const server = new SmtpSandbox({
      log: {
        append: async (mail) => {
          await beforeLogged?.();
          await log.append(mail);
        },
      },
      given: new HandoverLog(join(folder, 'given.jsonl')),
      store,
      maildirs: new Maildirs(join(folder, 'mail')),
      placements: new PlacementPolicies(join(folder, 'placement.json'), 'seed'),
      onAccepted: (mail) => void seen.push(mail),
    });
    starttls = await server.listen(0, { key: key!, cert: cert! }, false);
    implicit = await server.listen(0, { key: key!, cert: cert! }, true);
    broken = await server.listen(0, { key: brokenKey!, cert: brokenCert! }, true);
  });
  afterAll(async () => {
    await Promise.all([starttls, implicit, broken].map((one) => one.close()));
    await log.close();
    await rm(folder, { recursive: true });
  });

  const options = (more: SMTPTransportOptions = {}): SMTPTransportOptions => ({
    host: 'localhost',
    port: starttls.port,
    requireTLS: true,
    tls: { ca },
    auth: { user: 'me@sender.test', pass: 'sandbox-password' },
    ...more,
  });

  async function send(to: string, more: SMTPTransportOptions = {}, text = 'hello'): Promise<string> {
    const transport = createTransport(options(more));
    const { response } = await transport.sendMail({ from: 'me@sender.test', to, subject: 'Hé', text });
    return response;
  }

  const failure = (to: string, more: SMTPTransportOptions = {}): Promise<SendError> =>
    send(to, more).then(
      (response) => ({ message: `accepted: ${response}` }),
      (error: SendError) => error,
    );

  const inbox = (address: string, inside = '.'): Promise<string[]> =>
    readdir(join(folder, 'mail', address, 'Maildir', inside, 'new')).catch(() => []);

  const accepted = async (to: string): Promise<AcceptedMail[]> =>
    parseAccepted(await readFile(join(folder, 'accepted.jsonl'), 'utf8')).filter((mail) => mail.to.includes(to));

  const given = async (to: string): Promise<HandoverMail[]> => {
    const lines = (await readFile(join(folder, 'given.jsonl'), 'utf8')).trim().split('\n');
    return lines.map((line) => JSON.parse(line) as HandoverMail).filter((mail) => mail.to.includes(to));
  };

  it.each(['STARTTLS', 'implicit TLS'])('accepts, logs and delivers a message over %s', async (how) => {
    const to = `ann.${how.length}@leads.test`;
    const response = await send(to, how === 'STARTTLS' ? {} : { port: implicit.port, secure: true });
    const queueId = /^250 2\.0\.0 OK: queued as ([A-F0-9]{16})$/.exec(response)?.[1];
    expect(queueId).toBeDefined();
    expect(await accepted(to)).toMatchObject([
      { queueId, user: 'me@sender.test', from: 'me@sender.test', to: [to], subject: 'Hé', answered: true },
    ]);
    expect((await accepted(to))[0]!.messageId).toMatch(/^<.+@sender\.test>$/);
    const [name] = await inbox(to);
    expect(await readFile(join(folder, 'mail', to, 'Maildir/new', name!), 'utf8')).toContain('hello');
    expect(store.get(queueId!)).toMatchObject({ origin: 'smtp', to: [to] });
  });

  it('delivers the copy of each recipient by its policy, and logs the placement', async () => {
    const [ann, spam, promotions] = [
      'ann.p@leads.test',
      'spam-all.p@leads.test',
      'promotions-all.p@leads.test',
    ] as const;
    await send([ann, spam, promotions].join(', '));
    const files = async (address: string, folder: string): Promise<number> => (await inbox(address, folder)).length;
    expect(await files(ann, '.')).toBe(1);
    expect([await files(spam, '.'), await files(spam, 'Junk')]).toEqual([0, 1]);
    expect([await files(promotions, '.'), await files(promotions, 'Promotions')]).toEqual([0, 1]);
    const placed = { [spam]: 'spam', [promotions]: 'promotions' };
    const [line] = await accepted(ann);
    expect(line).toMatchObject({ to: [ann, spam, promotions] });
    expect(line?.placed).toEqual(placed);
    expect(store.get(line?.queueId ?? '')?.placed).toEqual(placed);
  });

  it('confirms a message only after it is logged', async () => {
    let logged = (): void => {};
    const asked = new Promise<void>((reached) => {
      beforeLogged = () => {
        reached();
        return new Promise<void>((done) => (logged = done));
      };
    });
    let answered = false;
    const sending = send('ordered.ann@leads.test').then(() => (answered = true));
    await asked;
    // Without the wait, the client has its answer before a second client completes a greeting.
    beforeLogged = undefined;
    await send('meanwhile.ann@leads.test');
    expect(answered).toBe(false);
    expect(await inbox('ordered.ann@leads.test')).toHaveLength(0);
    logged();
    await sending;
    expect(await inbox('ordered.ann@leads.test')).toHaveLength(1);
  });

  it('answers with a temporary failure when the log cannot be written, and delivers nothing', async () => {
    beforeLogged = () => Promise.reject(new Error('no space'));
    const error = await failure('unlogged.ann@leads.test');
    beforeLogged = undefined;
    expect(error).toMatchObject({ responseCode: 451 });
    expect(await inbox('unlogged.ann@leads.test')).toHaveLength(0);
  });

  it.each([
    ['rcpt-421', 421, '4.3.2'],
    ['rcpt-450', 450, '4.2.1'],
    ['rcpt-452', 452, '4.2.2'],
    ['rcpt-550', 550, '5.1.1'],
    ['rcpt-554', 554, '5.7.1'],
    ['data-421', 421, '4.7.0'],
    ['data-451', 451, '4.3.0'],
    ['data-552', 552, '5.3.4'],
    ['data-554', 554, '5.7.1'],
  ])('rejects a recipient named %s with %i', async (name, responseCode, status) => {
    const to = `${name}.ann@leads.test`;
    const error = await failure(to);
    expect(error).toMatchObject({ responseCode });
    expect(error.response).toContain(status);
    expect(await accepted(to)).toHaveLength(0);
    expect(await inbox(to)).toHaveLength(0);
  });

  it('greylists once or twice, then accepts the message', async () => {
    expect(await failure('greylist.ann@leads.test')).toMatchObject({ responseCode: 450 });
    expect(await send('greylist.ann@leads.test')).toContain('250');
    const twice = 'greylist-twice.ann@leads.test';
    expect([(await failure(twice)).responseCode, (await failure(twice)).responseCode]).toEqual([450, 450]);
    expect(await send(twice)).toContain('250');
  });

  it.each(['drop-at-rcpt', 'drop-at-data', 'drop-mid-data', 'drop-after-dot'])(
    'closes the connection at %s and stores nothing',
    async (name) => {
      const to = `${name}.ann@leads.test`;
      const error = await failure(to);
      expect(error.responseCode).toBeUndefined();
      expect(['ECONNECTION', 'ESOCKET']).toContain(error.code);
      expect(await accepted(to)).toHaveLength(0);
      expect(await inbox(to)).toHaveLength(0);
    },
  );

  it.each([
    ['drop-after-dot-stored', {}],
    ['hang-after-dot-stored', { socketTimeout: 300 }],
  ])('stores the message without an answer at %s', async (name, more) => {
    const to = `${name}.ann@leads.test`;
    const error = await failure(to, more);
    expect(error.responseCode).toBeUndefined();
    // The client may disconnect before the server has stored the message.
    await eventually('it is delivered', async () => (await inbox(to)).length > 0);
    expect(await accepted(to)).toMatchObject([{ answered: false }]);
    expect(await inbox(to)).toHaveLength(1);
  });

  it.each(['hang-at-rcpt', 'hang-at-data', 'hang-after-dot'])(
    'never answers at %s and stores nothing',
    async (name) => {
      const to = `${name}.ann@leads.test`;
      expect(await failure(to, { socketTimeout: 300 })).toMatchObject({ code: 'ETIMEDOUT' });
      expect(await accepted(to)).toHaveLength(0);
    },
  );

  it.each(['data-451', 'drop-after-dot', 'drop-after-dot-stored', 'unremarkable'])(
    'records the start of a message, whatever its outcome (%s)',
    async (name) => {
      const to = `${name}.given@leads.test`;
      await failure(to);
      const [mail, ...more] = await given(to);
      expect(more).toEqual([]);
      expect(mail).toMatchObject({ from: 'me@sender.test', to: [to], whole: true });
      expect(mail!.messageId).toMatch(/^<.+@sender\.test>$/);
      expect(Date.parse(mail!.dataAt)).toBeLessThanOrEqual(Date.parse(mail!.time));
    },
  );

  it.each(['rcpt-450', 'drop-at-data', 'hang-at-data'])('receives no message at %s', async (name) => {
    const to = `${name}.given@leads.test`;
    await failure(to, { socketTimeout: 300 });
    expect(await given(to)).toEqual([]);
  });

  it.each(['hang-once-at-rcpt', 'hang-once-at-data'])(
    'does not answer the first attempt at %s, and accepts the message afterwards',
    async (name) => {
      const to = `${name}.ann@leads.test`;
      expect(await failure(to, { socketTimeout: 300 })).toMatchObject({ code: 'ETIMEDOUT' });
      expect(await send(to)).toContain('250');
    },
  );

  it('answers after the requested delay', async () => {
    const started = performance.now();
    expect(await send('slow-120.ann@leads.test')).toContain('250');
    expect(performance.now() - started).toBeGreaterThanOrEqual(120);
  });

  it.each([
    ['auth-454', 454],
    ['auth-432', 432],
    ['auth-534', 534],
    ['auth-535', 535],
    ['mail-421', 421],
    ['mail-451', 451],
    ['mail-550', 550],
    ['mail-553', 553],
  ])('rejects the user %s with %i', async (name, responseCode) => {
    const auth = { user: `${name}.me@sender.test`, pass: 'sandbox-password' };
    expect(await failure('refused.ann@leads.test', { auth })).toMatchObject({ responseCode });
  });

  it.each([
    ['drop-at-auth', 'ECONNECTION'],
    ['drop-at-mail', 'ECONNECTION'],
    ['hang-at-auth', 'ETIMEDOUT'],
    ['hang-at-mail', 'ETIMEDOUT'],
  ])('does not answer the user %s', async (name, code) => {
    const auth = { user: `${name}.me@sender.test`, pass: 'sandbox-password' };
    expect(await failure('refused.ann@leads.test', { auth, socketTimeout: 300 })).toMatchObject({ code });
  });

  it('accepts one password and one token, and answers another token like Google', async () => {
    expect(await failure('a@leads.test', { auth: { user: 'me@sender.test', pass: 'other' } })).toMatchObject({
      responseCode: 535,
      response: expect.stringContaining('5.7.8') as string,
    });
    const token = (accessToken: string): SMTPTransportOptions => ({
      auth: { type: 'OAuth2', user: 'me@sender.test', accessToken },
    });
    expect(await send('a@leads.test', token('secret-token'))).toContain('250');
    expect(await failure('a@leads.test', token('expired-token'))).toMatchObject({ responseCode: 535 });
    const dialog = await talk(implicit.port, ca, [`AUTH XOAUTH2 ${xoauth2('expired-token')}`, '']);
    const challenge = /^334 (\S+)/m.exec(dialog)?.[1] ?? '';
    expect(JSON.parse(Buffer.from(challenge, 'base64').toString())).toMatchObject({ status: '401', schemes: 'bearer' });
    expect(dialog).toMatch(/^535 5\.7\.8/m);
  });

  it.each(['at once', 'after an empty challenge'])('accepts OAUTHBEARER with its response %s', async (how) => {
    const answer = Buffer.from(
      'n,a=me@sender.test,\u0001host=localhost\u0001auth=Bearer secret-token\u0001\u0001',
    ).toString('base64');
    const lines = how === 'at once' ? [`AUTH OAUTHBEARER ${answer}`] : ['AUTH OAUTHBEARER', answer];
    expect(await talk(implicit.port, ca, lines)).toMatch(/^235 /m);
    expect(Buffer.from(asXoauth2(answer), 'base64').toString()).toContain(
      'user=me@sender.test\u0001auth=Bearer secret-token',
    );
  });

  it('requires TLS before the password, and a login before MAIL', async () => {
    const plain = await talkPlain(starttls.port, ['EHLO x', 'AUTH PLAIN AGEAc2VjcmV0', 'MAIL FROM:<a@x.test>']);
    expect(plain).toContain('250-STARTTLS');
    expect(plain).toMatch(/^538 /m);
    expect(await talk(implicit.port, ca, ['MAIL FROM:<a@x.test>'])).toMatch(/^530 5\.7\.0/m);
  });

  it('has an invalid certificate on the broken port', async () => {
    const error = await failure('a@leads.test', { port: broken.port, secure: true });
    expect(error.message).toMatch(/self-signed certificate/);
  });

  it('accepts bounces with an empty sender, and keeps hostile recipients inside the mail folder', async () => {
    const transport = createTransport(options());
    await transport.sendMail({ envelope: { from: '', to: ['null.ann@leads.test'] }, subject: 'DSN', text: 'x' });
    expect(await accepted('null.ann@leads.test')).toMatchObject([{ from: '' }]);
    const login = ['AUTH PLAIN AGEAc2VjcmV0', 'MAIL FROM:<a@x.test>'];
    const hostile = ['RCPT TO:<../../../evil@leads.test>', 'DATA', 'Subject: x\r\n\r\nx\r\n.'];
    await talk(implicit.port, ca, [...login, ...hostile]);
    expect(await readdir(join(folder, '..'))).not.toContain('evil@leads.test');
    for (const name of await readdir(join(folder, 'mail'))) expect(name).toContain('@');
  });

  it('notifies the prospects of accepted messages only', () => {
    const recipients = seen.flatMap(({ to }) => to);
    expect(recipients).toContain('greylist.ann@leads.test');
    expect(recipients).toContain('drop-after-dot-stored.ann@leads.test');
    expect(recipients).not.toContain('drop-after-dot.ann@leads.test');
  });
});

const xoauth2 = (token: string): string =>
  Buffer.from(`user=me@sender.test\u0001auth=Bearer ${token}\u0001\u0001`).toString('base64');

/** Sends each line after the answer to the previous one, and returns everything the server sent. */
function talk(port: number, ca: Buffer, lines: string[]): Promise<string> {
  return dialog(connectTls({ port, host: '127.0.0.1', ca, servername: 'localhost' }), ['EHLO x', ...lines]);
}

const talkPlain = (port: number, lines: string[]): Promise<string> => dialog(connect(port, '127.0.0.1'), lines);

function dialog(socket: Socket, lines: string[]): Promise<string> {
  const left = [...lines, 'QUIT'];
  let said = '';
  return new Promise((done, failed) => {
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      if (/^\d{3} .*\r\n$/m.test(said.slice(said.lastIndexOf('\n', said.length - 2) + 1))) {
        const next = left.shift();
        if (next !== undefined) socket.write(`${next}\r\n`);
      }
    });
    socket.on('close', () => done(said)).on('error', failed);
  });
}
