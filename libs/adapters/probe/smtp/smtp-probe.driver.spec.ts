import { eventually } from '../../../testing/eventually';
import { type MailboxProbePort, type ProbeAnswer, type ProbeQuestion } from '../port/mailbox-probe.port';
import { HandTimer, MxServer, type MxOptions, getProbe, type ProbeOverrides } from '../testing';
import { controls } from '../testing/probe-harness';

const ADA = 'ada@example.com';
const EXISTS = { [ADA]: 'exists' } as const;

describe('the SMTP commands of SmtpProbe', () => {
  const timer = new HandTimer();
  const opened: MxServer[] = [];

  afterEach(async () => {
    for (const server of opened.splice(0)) await server.close();
  });

  async function openProbe(mx: MxOptions = {}, options: Partial<ProbeOverrides> = {}) {
    const server = await MxServer.start(mx);
    opened.push(server);
    return { server, probe: getProbe({ port: server.smtp.port, timer, ...options }) };
  }

  const ask = (probe: MailboxProbePort, question: Partial<ProbeQuestion> = {}): Promise<ProbeAnswer> =>
    probe.ask({ address: ADA, hosts: ['mx.example.com'], deadline: timer.in(60_000), askCatchAll: false, ...question });

  it('sends EHLO, MAIL, RCPT and QUIT, never DATA', async () => {
    const { server, probe } = await openProbe({ mailboxes: EXISTS });
    await ask(probe, { askCatchAll: true });
    expect(server.smtp.commands.slice(0, 4)).toEqual([
      'EHLO probe.sender.test',
      'MAIL FROM:<>',
      `RCPT TO:<${ADA}>`,
      `RCPT TO:<${controls.at('example.com')}@example.com>`,
    ]);
    await eventually('it has taken leave', () => server.smtp.open === 0);
    expect(server.smtp.commands.slice(4)).toEqual(['QUIT']);
  });

  it('uses the configured name and sender', async () => {
    const { server, probe } = await openProbe({}, { helo: 'checks.example', sender: 'probe@checks.example' });
    await ask(probe);
    expect(server.smtp.commands.slice(0, 2)).toEqual(['EHLO checks.example', 'MAIL FROM:<probe@checks.example>']);
  });

  it('falls back to HELO when EHLO is not supported', async () => {
    const { server, probe } = await openProbe({ mailboxes: EXISTS, on: { EHLO: { say: '502 5.5.1 not here' } } });
    expect(await ask(probe)).toMatchObject({ kind: 'accepted' });
    expect(server.smtp.commands.slice(0, 3)).toEqual([
      'EHLO probe.sender.test',
      'HELO probe.sender.test',
      'MAIL FROM:<>',
    ]);
  });

  it('encrypts where the server offers it, with any certificate', async () => {
    const { server, probe } = await openProbe({ mailboxes: EXISTS, capabilities: ['STARTTLS'] });
    expect(await ask(probe)).toMatchObject({ kind: 'accepted' });
    expect(server.smtp.seen).toMatchObject([{ encrypted: true }]);
    expect(server.smtp.commands.slice(0, 3)).toEqual(['EHLO probe.sender.test', 'STARTTLS', 'EHLO probe.sender.test']);
  });

  it('continues in plain text when STARTTLS is refused', async () => {
    const mx = { mailboxes: EXISTS, capabilities: ['STARTTLS'], on: { STARTTLS: { say: '454 4.7.0 not now' } } };
    const { server, probe } = await openProbe(mx);
    expect(await ask(probe)).toMatchObject({ kind: 'accepted' });
    expect(server.smtp.seen).toMatchObject([{ encrypted: false }]);
  });

  it.each([
    ['disconnects', { next: 'drop' }],
    ['answers garbage', { say: 'no TLS at all', next: 'drop' }],
    ['continues in plain text', { say: '220 2.0.0 go ahead\n250 2.0.0 really' }],
  ] as const)('reconnects in plain text when STARTTLS %s', async (_, STARTTLS) => {
    const { server, probe } = await openProbe({ mailboxes: EXISTS, capabilities: ['STARTTLS'], on: { STARTTLS } });
    expect(await ask(probe)).toMatchObject({ kind: 'accepted' });
    expect(server.smtp.seen).toHaveLength(2);
    expect(server.smtp.seen[1]?.commands.slice(0, 2)).toEqual(['EHLO probe.sender.test', 'MAIL FROM:<>']);
  });

  it('probes a UTF-8 local part with SMTPUTF8, and not on a server without it', async () => {
    const address = 'grün@example.com';
    const able = await openProbe({ mailboxes: { [address]: 'exists' } });
    expect(await ask(able.probe, { address })).toMatchObject({ kind: 'accepted' });
    expect(able.server.smtp.commands).toContain('MAIL FROM:<> SMTPUTF8');
    const unable = await openProbe({ mailboxes: { [address]: 'exists' }, capabilities: ['8BITMIME'] });
    expect(await ask(unable.probe, { address })).toMatchObject({
      kind: 'protocol',
      response: 'the server has no SMTPUTF8',
    });
    expect(unable.server.recipients).toEqual([]);
  });

  it('gets the result and the catch-all result on the second attempt at a server with greylisting', async () => {
    const control = `${controls.at('example.com')}@example.com`;
    const { server, probe } = await openProbe({ mailboxes: { [ADA]: 'greylisted', [control]: 'greylisted' } });
    expect(await ask(probe, { askCatchAll: true })).toMatchObject({
      kind: 'greylisted',
      catchAll: null,
      retryAfterMs: 300_000,
    });
    expect(await ask(probe, { askCatchAll: true })).toMatchObject({ kind: 'accepted', catchAll: true });
    expect(server.recipients).toEqual([ADA, control, ADA, control]);
  });

  it('returns the retry time of the server', async () => {
    const { probe } = await openProbe({ on: { RCPT: { say: '451 4.7.1 Greylisted, try again in 90 seconds' } } });
    expect((await ask(probe)).retryAfterMs).toBe(90_000);
  });

  it('limits an extreme retry time of the server', async () => {
    const { server, probe } = await openProbe({
      on: { RCPT: { say: '451 4.7.1 Greylisted, try again in 9999 hours' } },
    });
    expect((await ask(probe)).retryAfterMs).toBe(4 * 3_600_000);
    server.smtp.follow({ on: { RCPT: { say: '451 4.7.1 Greylisted, try again in 0 seconds' } } });
    expect((await ask(probe)).retryAfterMs).toBe(30_000);
  });

  it('checks once a day whether a domain is catch-all', async () => {
    const { server, probe } = await openProbe({ mailboxes: EXISTS });
    const control = `${controls.at('example.com')}@example.com`;
    const asked = () => server.recipients.filter((address) => address === control).length;
    expect(await ask(probe, { askCatchAll: true })).toMatchObject({ catchAll: false });
    expect(await ask(probe, { askCatchAll: true })).toMatchObject({ catchAll: false });
    expect(asked()).toBe(1);
    timer.advance(24 * 3_600_000);
    expect(await ask(probe, { askCatchAll: true })).toMatchObject({ catchAll: false });
    expect(asked()).toBe(2);
  });

  it.each([
    ['put off', { say: '451 4.7.1 later' }],
    ['refused for our sake', { say: '550 5.7.1 blocked using zen.spamhaus.org' }],
    ['never answered, the connection cut', { next: 'drop' }],
  ] as const)('has no catch-all result when the control address is %s', async (_, act) => {
    const { probe } = await openProbe({
      on: { RCPT: (_seen, line) => (line.includes(ADA) ? { say: '250 ok' } : act) },
    });
    expect(await ask(probe, { askCatchAll: true })).toMatchObject({ kind: 'accepted', catchAll: null, code: '250' });
  });

  it('tries the next host only after a failed connection', async () => {
    const { server, probe } = await openProbe(
      { mailboxes: EXISTS },
      { lookup: (host) => Promise.resolve([host === 'dead.example.com' ? '127.0.0.9' : '127.0.0.1']) },
    );
    const hosts = ['dead.example.com', 'mx.example.com'];
    expect(await ask(probe, { hosts })).toMatchObject({ kind: 'accepted', host: 'mx.example.com' });
    server.smtp.follow({ on: { CONNECT: { say: '554 5.7.1 not you' } } });
    expect(await ask(probe, { hosts: ['mx.example.com', 'other.example'] })).toMatchObject({ kind: 'refused_us' });
    expect(server.smtp.seen).toHaveLength(2);
  });

  it.each([
    [4, 'accepted'],
    [5, 'unreachable'],
  ])('finds the reachable host at position %s: %s', async (place, kind) => {
    const lookup = (host: string) => Promise.resolve([host.startsWith('dead') ? '127.0.0.9' : '127.0.0.1']);
    const { probe } = await openProbe({ mailboxes: EXISTS }, { lookup });
    const dead = Array.from({ length: place - 1 }, (_, n) => `dead${n}.example.com`);
    expect(await ask(probe, { hosts: [...dead, 'mx.example.com'] })).toMatchObject({ kind });
  });

  it.each([
    [2, 'accepted'],
    [3, 'unreachable'],
  ])('finds the reachable address of a host at position %s: %s', async (place, kind) => {
    const dead = Array.from({ length: place - 1 }, (_, n) => `127.0.0.${n + 8}`);
    const { probe } = await openProbe({ mailboxes: EXISTS }, { lookup: () => Promise.resolve([...dead, '127.0.0.1']) });
    expect(await ask(probe)).toMatchObject({ kind });
  });

  it('reports unreachable when no host can be reached', async () => {
    const { probe } = await openProbe({}, { lookup: () => Promise.resolve(['127.0.0.9']) });
    expect(await ask(probe)).toMatchObject({
      kind: 'unreachable',
      host: null,
      response: 'a connection failed (ECONNREFUSED)',
      retryAfterMs: 900_000,
    });
  });

  it('connects to no forbidden address', async () => {
    const { server, probe } = await openProbe({ mailboxes: EXISTS }, { allowPrivate: false });
    expect(await ask(probe)).toMatchObject({
      kind: 'unreachable',
      host: null,
      response: 'mx.example.com resolves to an address that is not allowed (loopback)',
    });
    expect(server.smtp.seen).toEqual([]);
  });

  it('fails when it is disabled', async () => {
    const { server, probe } = await openProbe({}, { isOn: false });
    expect(probe.isOn).toBe(false);
    await expect(ask(probe)).rejects.toThrow('The mailbox probe is off');
    expect(server.smtp.seen).toEqual([]);
  });

  it('keeps one printable line of 500 characters of the server’s reply', async () => {
    const say = `550-5.1.1 \u001b[31muser unknown\u202e\n550 5.1.1 ${'x'.repeat(900)}`;
    const { response: words } = await ask((await openProbe({ on: { RCPT: { say } } })).probe);
    expect(words).toHaveLength(500);
    expect(words).toMatch(/^550-5\.1\.1 {2}\[31muser unknown 550 5\.1\.1 x+$/);
  });
});
