import { eventually } from '../../../testing/eventually';
import { type MailboxProbePort, type ProbeAnswer } from '../port/mailbox-probe.port';
import { HandTimer, MxServer, type MxOptions, getProbe, type ProbeOverrides } from '../testing';

const HOST = 'mx.example.com';

describe('SmtpProbe and the limits of providers', () => {
  let timer: HandTimer;
  const opened: MxServer[] = [];

  beforeEach(() => {
    timer = new HandTimer();
  });
  afterEach(async () => {
    for (const server of opened.splice(0)) await server.close();
  });

  async function openProbe(mx: MxOptions = {}, options: Partial<ProbeOverrides> = {}) {
    const server = await MxServer.start({ takesEverything: true, ...mx });
    opened.push(server);
    return { server, probe: getProbe({ port: server.smtp.port, timer, ...options }) };
  }

  interface Asked {
    readonly host?: string;
    readonly withinMs?: number;
    readonly askCatchAll?: boolean;
  }

  const ask = (
    probe: MailboxProbePort,
    local: string,
    { host = HOST, withinMs = 60_000, askCatchAll = false }: Asked = {},
  ): Promise<ProbeAnswer> =>
    probe.ask({ address: `${local}@example.com`, hosts: [host], deadline: timer.in(withinMs), askCatchAll });

  const recipientsOf = (server: MxServer): number[] =>
    server.smtp.seen.map(({ commands }) => commands.filter((line) => line.startsWith('RCPT')).length);

  it('probes several addresses in one conversation, at most five recipients', async () => {
    const { server, probe } = await openProbe({}, { connections: 1 });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => ask(probe, `p${n}`)));
    expect(answers.map(({ kind }) => kind)).toEqual(Array.from({ length: 10 }, () => 'accepted'));
    // After four recipients there is no capacity for a probe with its control address.
    expect(recipientsOf(server)).toEqual([4, 4, 2]);
    expect(server.smtp.seen[0]?.commands.filter((line) => line === 'RSET')).toHaveLength(3);
  });

  it('counts the control address', async () => {
    const { server, probe } = await openProbe({}, { connections: 1 });
    await Promise.all(Array.from({ length: 6 }, (_, n) => ask(probe, `p${n}`, { askCatchAll: true })));
    expect(Math.max(...recipientsOf(server))).toBeLessThanOrEqual(5);
    expect(server.recipients).toHaveLength(7);
  });

  it('limits connections to a provider across all its host names', async () => {
    const { server, probe } = await openProbe({ on: { RCPT: { next: 'hang' } } }, { connections: 2 });
    const asking = ['mx1.example.com', 'mx2.example.com', 'mx3.example.com'].map((host) => ask(probe, 'ada', { host }));
    await eventually('two are asked', () => server.recipients.length === 2);
    expect(server.smtp.seen).toHaveLength(2);
    timer.advance(60_000);
    expect((await Promise.all(asking)).map(({ kind }) => kind).toSorted()).toEqual(['busy', 'timeout', 'timeout']);
    expect(server.smtp.seen).toHaveLength(2);
  });

  it('does not let one provider delay another', async () => {
    const { server, probe } = await openProbe(
      { host: '0.0.0.0', on: { RCPT: (_, line) => (line.includes('slow') ? { next: 'hang' } : { say: '250 ok' }) } },
      { connections: 1, lookup: (host) => Promise.resolve([host.includes('slow') ? '127.0.0.2' : '127.0.0.1']) },
    );
    const slow = ask(probe, 'slow', { host: 'mx.slow.example' });
    await eventually('it is asked', () => server.recipients.length === 1);
    expect(await ask(probe, 'ada', { host: 'mx.quick.example' })).toMatchObject({ kind: 'accepted' });
    timer.advance(60_000);
    expect(await slow).toMatchObject({ kind: 'timeout' });
  });

  it('limits connections to one address across all domains, and waits for a slot', async () => {
    const { server, probe } = await openProbe({ on: { MAIL: { next: 'hang' } } }, { connections: 2 });
    const names = ['mx.one.example', 'mx.two.example', 'mx.three.example'];
    const asking = names.map((host) => ask(probe, 'ada', { host, withinMs: 10_000 }));
    const late = ask(probe, 'ada', { host: 'mx.four.example', withinMs: 60_000 });
    await eventually(
      'two are connected',
      () => server.smtp.commands.filter((line) => line === 'MAIL FROM:<>').length === 2,
    );
    expect(server.smtp.seen).toHaveLength(2);
    server.smtp.follow({});
    timer.advance(10_000);
    expect((await Promise.all(asking)).map(({ kind }) => kind)).toEqual(['timeout', 'timeout', 'busy']);
    expect(await late).toMatchObject({ kind: 'accepted', host: 'mx.four.example' });
    expect(await ask(probe, 'bob', { host: 'mx.five.example' })).toMatchObject({ kind: 'accepted' });
  });

  it('applies the cooldown of an address to all its host names', async () => {
    const { server, probe } = await openProbe({ on: { CONNECT: { say: '421 4.7.0 go away' } } });
    await ask(probe, 'ada', { host: 'mx.one.example' });
    expect(await ask(probe, 'ada', { host: 'mx.two.example', withinMs: 30_000 })).toMatchObject({
      kind: 'busy',
      host: null,
    });
    expect(server.smtp.seen).toHaveLength(1);
  });

  it('keeps the configured gap between connections', async () => {
    const { server, probe } = await openProbe({}, { gapMs: 5_000 });
    await ask(probe, 'ada');
    const second = ask(probe, 'bob');
    expect(await ask(probe, 'cyd', { withinMs: 4_000 })).toMatchObject({
      kind: 'busy',
      host: null,
      retryAfterMs: 60_000,
    });
    expect(server.smtp.seen).toHaveLength(1);
    timer.advance(5_000);
    expect(await second).toMatchObject({ kind: 'accepted' });
    expect(server.smtp.seen).toHaveLength(2);
  });

  it.each<readonly [string, MxOptions['on']]>([
    ['has no time for us', { CONNECT: { say: '421 4.7.0 go away' } }],
    ['refuses our sender', { MAIL: { say: '550 5.7.1 not you' } }],
    ['has us on a list', { RCPT: { say: '550 5.7.1 Client host blocked using zen.spamhaus.org' } }],
  ])('applies a cooldown to a provider that %s, and a longer one the second time', async (_, on) => {
    const { server, probe } = await openProbe({ on });
    expect(await ask(probe, 'ada')).toMatchObject({ retryAfterMs: 60_000 });
    expect(await ask(probe, 'bob', { withinMs: 30_000 })).toMatchObject({
      kind: 'busy',
      host: null,
      retryAfterMs: 60_000,
    });
    expect(server.smtp.seen).toHaveLength(1);
    timer.advance(60_000);
    expect(await ask(probe, 'bob')).toMatchObject({ retryAfterMs: 120_000 });
    expect(server.smtp.seen).toHaveLength(2);
    timer.advance(120_000);
    server.smtp.follow({});
    expect(await ask(probe, 'bob')).toMatchObject({ kind: 'accepted' });
  });

  it('continues to probe a provider that refuses a single recipient', async () => {
    const { probe } = await openProbe({ on: { RCPT: { say: '550 5.7.1 not to this one' } } });
    expect(await ask(probe, 'ada')).toMatchObject({ kind: 'refused_us', retryAfterMs: null });
    expect(await ask(probe, 'bob')).toMatchObject({ kind: 'refused_us', host: HOST });
  });

  it('reconnects to a server that allows one recipient per connection', async () => {
    const { server, probe } = await openProbe({}, { connections: 1 });
    server.smtp.follow({ on: { RSET: { say: '421 4.5.3 too much for one connection', next: 'drop' } } });
    const answers = await Promise.all([ask(probe, 'ada'), ask(probe, 'bob'), ask(probe, 'cyd')]);
    expect(answers.map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(server.smtp.seen).toHaveLength(3);
  });
});
