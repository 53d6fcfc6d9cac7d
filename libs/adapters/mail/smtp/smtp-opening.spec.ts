import { networkInterfaces } from 'node:os';
import { OutboundAddressService } from '@platform/outbound';
import { deadline, eventually } from '@testing';
import { MailError } from '../port/mail.errors';
import { type SmtpScript } from './testing/scripted-smtp';
import { CANARY, closeAll, loginBy, messageTo, sender, server, type SenderOptions, yes } from './testing/smtp-harness';

afterEach(closeAll);

const leadingTo = (...addresses: string[]) => ({
  guard: new OutboundAddressService({ allowPrivate: true, lookup: () => Promise.resolve(addresses) }),
});

async function verify(script: SmtpScript, options: SenderOptions = {}) {
  const smtp = await server(script);
  return { smtp, result: await sender(smtp, options).verify() };
}

describe('SmtpSender.verify', () => {
  it('logs in on a fresh connection and sends nothing', async () => {
    const { smtp, result } = await verify({});
    expect(result).toEqual({ ok: true });
    expect(smtp.seen[0]?.encrypted).toBe(true);
    expect(smtp.commands.map((line) => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS', 'EHLO', 'AUTH']);
    expect(smtp.commands[0]).toBe('EHLO worker.sender.test');
  });

  it('does not rely on an earlier login', async () => {
    const smtp = await server({});
    const mail = sender(smtp);
    await mail.send(messageTo('bob@example.com'), { beforeHandover: yes });
    smtp.follow({ on: { AUTH: { say: '535 5.7.8 wrong password' } } });
    expect(await mail.verify()).toMatchObject({ ok: false, failure: 'needs-human', stage: 'login' });
  });

  it('returns a refusal with the server’s reply', async () => {
    const { result } = await verify({ on: { AUTH: { say: '535 5.7.8 wrong password' } } });
    expect(result).toEqual({
      ok: false,
      failure: 'needs-human',
      stage: 'login',
      message: 'mail.test refused the login (535)',
      lastReply: { code: '535', enhancedCode: '5.7.8', command: 'AUTH', response: '535 5.7.8 wrong password' },
      retryAfterMs: null,
    });
  });

  it('reports that the server exceeded the caller’s deadline', async () => {
    const smtp = await server({ on: { AUTH: { next: 'hang' } } });
    const { signal, strike } = deadline();
    const verifying = sender(smtp).verify(signal);
    await eventually('the server has heard AUTH', () => smtp.commands.some((line) => line.startsWith('AUTH')));
    strike();
    const result = await verifying;
    expect(result).toMatchObject({ ok: false, failure: 'temporary', stage: 'login' });
    expect(result).toHaveProperty('message', 'The SMTP server did not answer in time');
  });

  it('can be stopped', async () => {
    const smtp = await server({ on: { CONNECT: { next: 'hang' } } });
    const abort = new AbortController();
    const verifying = sender(smtp).verify(abort.signal);
    abort.abort();
    expect(await verifying).toMatchObject({ ok: false, failure: 'temporary' });
  });
});

describe('the addresses of an SmtpSender', () => {
  it.each(['127.0.0.1', '10.0.0.7', '[::1]', '::ffff:127.0.0.1', '2130706433', '169.254.169.254', 'localhost'])(
    'refuses %s unless private networks are allowed',
    async (host) => {
      const guard = new OutboundAddressService({ allowPrivate: false, lookup: () => Promise.resolve(['127.0.0.1']) });
      const result = await sender({ port: 587 }, { host, guard }).verify();
      expect(result).toMatchObject({ ok: false, failure: 'needs-human', stage: 'address', lastReply: null });
    },
  );

  it.each([22, 80, 993, 6379, 26])('refuses port %d unless private networks are allowed', async (port) => {
    const lookup = jest.fn(() => Promise.resolve(['1.1.1.1']));
    const guard = new OutboundAddressService({ allowPrivate: false, lookup });
    const result = await sender({ port }, { guard }).verify();
    expect(result).toMatchObject({
      ok: false,
      stage: 'address',
      message: expect.stringContaining('25, 465, 587, 2525'),
    });
    expect(lookup).not.toHaveBeenCalled();
  });

  it('refuses a host with a forbidden address', async () => {
    const guard = new OutboundAddressService({
      allowPrivate: false,
      lookup: () => Promise.resolve(['1.1.1.1', '127.0.0.1']),
    });
    expect(await sender({ port: 587 }, { guard }).verify()).toMatchObject({ ok: false, stage: 'address' });
  });

  it('distinguishes a missing name from a failed lookup', async () => {
    const failing = (code: string) => ({
      guard: new OutboundAddressService({
        allowPrivate: true,
        lookup: () => Promise.reject(Object.assign(new Error(code), { code })),
      }),
    });
    const missing = await sender({ port: 587 }, failing('ENOTFOUND')).verify();
    expect(missing).toMatchObject({ ok: false, failure: 'needs-human', stage: 'resolve' });
    const broken = await sender({ port: 587 }, failing('ESERVFAIL')).verify();
    expect(broken).toMatchObject({ ok: false, failure: 'temporary', stage: 'resolve' });
  });

  it('tries the next address when the first does not connect', async () => {
    const smtp = await server({});
    // Nothing listens on 127.0.0.2 at this port.
    expect(await sender(smtp, leadingTo('127.0.0.2', '127.0.0.1')).verify()).toEqual({ ok: true });
    expect(smtp.seen).toHaveLength(1);
  });

  it('names the address that did not connect', async () => {
    const smtp = await server({});
    const { port } = smtp;
    await smtp.close();
    const result = await sender({ port }).verify();
    expect(result).toMatchObject({
      ok: false,
      failure: 'temporary',
      stage: 'connect',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  const ipv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
  (ipv6 ? it : it.skip)('connects to IPv6 literals and checks their certificates', async () => {
    const smtp = await server({ host: '::1' });
    for (const host of ['::1', '[::1]']) expect(await sender(smtp, { host }).verify()).toEqual({ ok: true });
  });
});

describe('encryption', () => {
  it('starts with the first byte when the settings require it', async () => {
    const { smtp, result } = await verify({ secure: true });
    expect(result).toEqual({ ok: true });
    expect(smtp.commands[0]).toMatch(/^EHLO/);
    const literal = await server({ secure: true });
    expect(await sender(literal, { host: '127.0.0.1' }).verify()).toEqual({ ok: true });
  });

  it('is required: a server without it is refused before any password', async () => {
    for (const STARTTLS of [{ say: '502 5.5.1 what?' }, { next: 'drop' }] as const) {
      const { smtp, result } = await verify({ capabilities: ['AUTH PLAIN'], on: { STARTTLS } });
      expect(result).toMatchObject({
        ok: false,
        failure: 'temporary',
        stage: 'tls',
        message: expect.stringContaining('offers no encryption'),
      });
      expect(smtp.commands.join()).not.toContain('AUTH ');
    }
  });

  it('may be missing when the operator allows it, and is still used when offered', async () => {
    const none = await verify({ capabilities: ['AUTH PLAIN'] }, { plain: true });
    expect(none.result).toEqual({ ok: true });
    expect(none.smtp.seen[0]?.encrypted).toBe(false);
    const offered = await verify({}, { plain: true });
    expect(offered.smtp.seen[0]?.encrypted).toBe(true);
  });

  it('is not replaced by plain text after a failure, even when that is allowed', async () => {
    const { smtp, result } = await verify({ on: { STARTTLS: { say: '454 4.7.0 no TLS now' } } }, { plain: true });
    expect(result).toMatchObject({ ok: false, failure: 'temporary', stage: 'tls', lastReply: { code: '454' } });
    expect(smtp.commands.join()).not.toContain('AUTH');
  });

  it.each([
    ['another name', { host: 'other.test' }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['a stranger', { ca: undefined }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('is refused with a certificate of %s', async (_what, options, code) => {
    for (const script of [{}, { secure: true }]) {
      const { smtp, result } = await verify(script, { ...options, plain: true });
      expect(result).toMatchObject({
        ok: false,
        failure: 'temporary',
        stage: 'tls',
        message: expect.stringContaining(code),
      });
      expect(smtp.commands.join()).not.toContain('AUTH');
    }
  });

  it('discards plain text after the reply to STARTTLS', async () => {
    const injected = '250-mail.test\r\n250 AUTH PLAIN SIZE 1\r\n250 injected\r\n235 2.7.0 welcome\r\n';
    const { smtp, result } = await verify({
      on: { STARTTLS: { say: '220 go', raw: injected }, AUTH: { say: '535 5.7.8 wrong password' } },
    });
    expect(result).toMatchObject({ ok: false, stage: 'login', lastReply: { response: '535 5.7.8 wrong password' } });
    expect(smtp.commands.map((line) => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS', 'EHLO', 'AUTH']);
  });

  it('names the cause when TLS meets plain text, or when both sides wait', async () => {
    const plain = await server({});
    expect(await sender(plain, { secure: true }).verify()).toMatchObject({
      ok: false,
      stage: 'tls',
      message: expect.stringContaining('it may expect STARTTLS'),
    });
    const tls = await server({ secure: true });
    expect(await sender(tls, { secure: false, limits: { greetingMs: 60 } }).verify()).toMatchObject({
      ok: false,
      stage: 'greeting',
      message: expect.stringContaining('may expect TLS from the first byte'),
    });
  });
});

describe('login', () => {
  const sasl = (line: string) => Buffer.from(line, 'base64').toString();

  it('sends user and password with PLAIN, even to a server that requests them again', async () => {
    const lines: string[] = [];
    const on: SmtpScript['on'] = {
      AUTH: (_seen, line) => (lines.push(line), { say: '334' }),
      SASL: (_seen, line) => (lines.push(line), undefined),
    };
    const { result } = await verify({ on, capabilities: ['AUTH LOGIN PLAIN'] }, { plain: true });
    expect(result).toEqual({ ok: true });
    expect(lines.map((line) => sasl(line.replace('AUTH PLAIN ', '')))).toEqual([
      `\0ada\0${CANARY}`,
      `\0ada\0${CANARY}`,
    ]);
  });

  it('uses LOGIN when nothing else is offered', async () => {
    const lines: string[] = [];
    const on: SmtpScript['on'] = {
      AUTH: { say: '334 VXNlcm5hbWU6' },
      SASL: (_seen, line) => (lines.push(sasl(line)), lines.length === 1 ? { say: '334 UGFzc3dvcmQ6' } : undefined),
    };
    const { result } = await verify({ on, capabilities: ['AUTH=LOGIN'] }, { plain: true });
    expect(result).toEqual({ ok: true });
    expect(lines).toEqual(['ada', CANARY]);
  });

  it('sends an access token with XOAUTH2', async () => {
    const { smtp, result } = await verify({ capabilities: ['AUTH XOAUTH2 PLAIN'] }, { plain: true, method: 'xoauth2' });
    expect(result).toEqual({ ok: true });
    const line = smtp.commands.find((command) => command.startsWith('AUTH XOAUTH2 '));
    expect(sasl(line?.slice(13) ?? '')).toBe(`user=ada\x01auth=Bearer ${CANARY}\x01\x01`);
  });

  it.each([
    ['at once', undefined],
    ['with a challenge', { say: '535 5.7.8 bad token' }],
  ])('requests another token once when one is refused %s', async (_how, SASL) => {
    const isOld = (line: string) => sasl(line.replace('AUTH XOAUTH2 ', '')).includes('Bearer old');
    const refusal = { say: SASL ? '334 eyJzdGF0dXMiOiI0MDEifQ==' : '535 5.7.8 bad token' };
    const on: SmtpScript['on'] = {
      AUTH: (_seen, line) => (isOld(line) ? refusal : undefined),
      ...(SASL && { SASL }),
    };
    const login = jest.fn((refused?: string) => Promise.resolve(loginBy('xoauth2', refused ? 'new' : 'old')));
    const { result } = await verify({ on, capabilities: ['AUTH XOAUTH2'] }, { plain: true, login });
    expect(result).toEqual({ ok: true });
    expect(login.mock.calls).toEqual([[undefined], ['old']]);
  });

  it('fails after the second token, or when there is no other', async () => {
    const on: SmtpScript['on'] = { AUTH: { say: '535 5.7.8 bad token' } };
    const script = { on, capabilities: ['AUTH XOAUTH2'] };
    const login = jest.fn((refused?: string) => Promise.resolve(loginBy('xoauth2', refused ? 'new' : 'old')));
    const twice = await verify(script, { plain: true, login });
    expect(twice.result).toMatchObject({
      ok: false,
      failure: 'needs-human',
      lastReply: { response: '535 5.7.8 bad token' },
    });
    expect(login).toHaveBeenCalledTimes(2);
    const same = await verify(script, { plain: true, method: 'xoauth2' });
    expect(same.result).toMatchObject({ ok: false, failure: 'needs-human', stage: 'login' });
  });

  it('requests no other password, and no other token after a temporary refusal', async () => {
    const login = jest.fn(() => Promise.resolve(loginBy('password')));
    await verify({ on: { AUTH: { say: '535 5.7.8 no' } } }, { login });
    expect(login).toHaveBeenCalledTimes(1);
    const token = jest.fn(() => Promise.resolve(loginBy('xoauth2')));
    const { result } = await verify({ on: { AUTH: { say: '454 4.7.0 later' } } }, { login: token });
    expect(result).toMatchObject({ failure: 'temporary' });
    expect(token).toHaveBeenCalledTimes(1);
  });

  it('sends no password to a server that offers no suitable login', async () => {
    for (const capabilities of [[], ['AUTH GSSAPI NTLM']]) {
      const { smtp, result } = await verify({ capabilities }, { plain: true });
      expect(result).toMatchObject({
        ok: false,
        failure: 'needs-human',
        stage: 'login',
        message: expect.stringContaining('offers no login'),
      });
      expect(smtp.commands.join()).not.toContain('AUTH');
    }
  });

  it('reports why credentials are missing, and hides unknown errors', async () => {
    const gone = new MailError({ failure: 'needs-human', stage: 'login', message: 'The grant was revoked' });
    const known = await verify({}, { login: () => Promise.reject(gone) });
    expect(known.result).toMatchObject({ ok: false, failure: 'needs-human', message: 'The grant was revoked' });
    const unknown = await verify({}, { login: () => Promise.reject(new Error(`decrypting ${CANARY}`)) });
    expect(unknown.result).toMatchObject({ ok: false, failure: 'temporary', stage: 'login' });
    expect(JSON.stringify(unknown.result)).not.toContain(CANARY);
  });

  it('requests no credentials before the connection is encrypted', async () => {
    const login = jest.fn(() => Promise.resolve(loginBy('password')));
    await verify({ on: { CONNECT: { say: '554 no' } } }, { login });
    await verify({ capabilities: [], on: { STARTTLS: { say: '500 no' } } }, { login });
    expect(login).not.toHaveBeenCalled();
  });
});
