import { eventually } from '../../../testing/eventually';
import { type Act, type Cue } from '../../mail/testing';
import { type MailboxProbePort, type ProbeAnswer, type ProbeKind } from '../port/mailbox-probe.port';
import { HandTimer, MxServer, type MxOptions, getProbe } from '../testing';

const ADA = 'ada@example.com';
const STEPS: readonly Cue[] = ['CONNECT', 'EHLO', 'MAIL', 'RCPT'];

describe('SmtpProbe with faulty servers', () => {
  let timer: HandTimer;
  const opened: MxServer[] = [];

  beforeEach(() => {
    timer = new HandTimer();
  });
  afterEach(async () => {
    for (const server of opened.splice(0)) await server.close();
  });

  async function openProbe(mx: MxOptions) {
    const server = await MxServer.start({ mailboxes: { [ADA]: 'exists' }, ...mx });
    opened.push(server);
    return { server, probe: getProbe({ port: server.smtp.port, timer }) };
  }

  const ask = (probe: MailboxProbePort, withinMs = 60_000): Promise<ProbeAnswer> =>
    probe.ask({ address: ADA, hosts: ['mx.example.com'], deadline: timer.in(withinMs), askCatchAll: false });

  it.each(STEPS)('returns unreachable with the host when the server disconnects at %s', async (step) => {
    const { server, probe } = await openProbe({ on: { [step]: { next: 'drop' } } });
    expect(await ask(probe)).toMatchObject({ kind: 'unreachable', host: 'mx.example.com', code: null });
    expect(server.smtp.seen).toHaveLength(1);
  });

  it.each(STEPS)('returns unreachable when the connection is reset at %s', async (step) => {
    const { probe } = await openProbe({ on: { [step]: { next: 'reset' } } });
    expect(await ask(probe)).toMatchObject({ kind: 'unreachable', host: 'mx.example.com' });
  });

  /** Waits until the server has been silent at a step. */
  async function silenceAt(server: MxServer, step: Cue): Promise<void> {
    const isThere = () =>
      step === 'CONNECT' ? server.smtp.seen.length > 0 : server.smtp.commands.some((line) => line.startsWith(step));
    await eventually(`the server is silent at ${step}`, isThere);
  }

  it.each(STEPS)('waits at %s until the timeout of the step', async (step) => {
    const { server, probe } = await openProbe({ on: { [step]: { next: 'hang' } } });
    const asking = ask(probe);
    await silenceAt(server, step);
    // The wait for the greeting starts with the connection, which the server may notice first.
    await eventually('something is waited for', () => timer.waiting === 1);
    timer.advance(9_999);
    expect(await Promise.race([asking, Promise.resolve('waiting')])).toBe('waiting');
    timer.advance(1);
    expect(await asking).toMatchObject({ kind: 'timeout', host: 'mx.example.com', retryAfterMs: 900_000 });
    await eventually('it has hung up', () => server.smtp.open === 0);
  });

  it('allows a slow reply no more time than silence', async () => {
    const { server, probe } = await openProbe({ on: { RCPT: { raw: '250-2.1.5 one\r\n250-2.1.5 tw', next: 'hang' } } });
    const asking = ask(probe);
    await silenceAt(server, 'RCPT');
    timer.advance(6_000);
    server.smtp.shout('o');
    server.smtp.shout('250-2.1.5 three');
    timer.advance(4_000);
    expect(await asking).toMatchObject({ kind: 'timeout' });
  });

  it('tries no other host after the deadline', async () => {
    const { server } = await openProbe({});
    const stuck = getProbe({ port: server.smtp.port, timer, lookup: () => new Promise(() => undefined) });
    const hosts = ['mx1.example.com', 'mx2.other.example'];
    const asking = stuck.ask({ address: ADA, hosts, deadline: timer.in(3_000), askCatchAll: false });
    await eventually('it is looked up', () => timer.waiting === 1);
    timer.advance(3_000);
    expect(await asking).toMatchObject({ kind: 'unreachable', response: 'the look-up did not come in time' });
  });

  it('never waits beyond the deadline', async () => {
    const { server, probe } = await openProbe({ on: { RCPT: { next: 'hang' } } });
    const asking = ask(probe, 3_000);
    await silenceAt(server, 'RCPT');
    timer.advance(3_000);
    expect(await asking).toMatchObject({ kind: 'timeout', response: 'the answer to RCPT did not come in time' });
  });

  it.each<readonly [string, Partial<Record<Cue, Act>>, ProbeKind, string | null]>([
    ['says that it takes no mail', { CONNECT: { say: '554 5.7.1 no SMTP here' } }, 'refused_us', '554'],
    ['has no time', { CONNECT: { say: '421 4.3.2 too busy' } }, 'busy', '421'],
    ['refuses the name', { EHLO: { say: '550 go' }, HELO: { say: '550 5.7.1 bad HELO' } }, 'refused_us', '550'],
    ['refuses the sender', { MAIL: { say: '550 5.1.8 Sender address rejected' } }, 'refused_us', '550'],
    ['puts the sender off', { MAIL: { say: '450 4.7.1 Greylisted' } }, 'greylisted', '450'],
    [
      'wants encryption and offers none',
      { MAIL: { say: '530 5.7.0 Must issue a STARTTLS command first' } },
      'refused_us',
      '530',
    ],
    [
      'blocks us at the recipient',
      { RCPT: { say: '550 5.7.1 Client host blocked using b.example' } },
      'refused_us',
      '550',
    ],
    ['has no time at the recipient', { RCPT: { say: '421 4.3.2 bye', next: 'drop' } }, 'busy', '421'],
    ['speaks another protocol', { CONNECT: { say: 'HTTP/1.1 400 Bad Request' } }, 'protocol', null],
    ['sends bytes', { CONNECT: { raw: '\u0000\u0001\u00ff\r\n' } }, 'protocol', null],
    ['answers with two codes', { RCPT: { say: '250-2.1.5 yes\n550 5.1.1 no' } }, 'protocol', null],
    ['asks for data at the recipient', { RCPT: { say: '354 go on' } }, 'protocol', '354'],
    ['does not know RCPT', { RCPT: { say: '500 what?' } }, 'protocol', '500'],
    ['answers before it is asked', { MAIL: { say: '250 ok\n250 and the recipient too' } }, 'protocol', null],
  ])('handles a server that %s', async (_, on, kind, code) => {
    const { server, probe } = await openProbe({ on });
    expect(await ask(probe)).toMatchObject({ kind, code, catchAll: null, host: 'mx.example.com' });
    await eventually('it has hung up', () => server.smtp.open === 0);
  });

  it('handles a 421 between two commands', async () => {
    const { probe } = await openProbe({ on: { MAIL: { say: '250 ok\n421 4.3.2 shutting down' } } });
    expect(await ask(probe)).toMatchObject({ kind: 'busy', code: '421' });
  });

  it.each([
    ['lines', '250-yes\r\n'.repeat(5_000)],
    ['one line', `250-${'y'.repeat(40_000)}`],
  ])('stops reading a reply with endless %s', async (_, raw) => {
    const { server, probe } = await openProbe({ on: { RCPT: { raw } } });
    expect(await ask(probe)).toMatchObject({ kind: 'protocol', response: 'a reply has no end' });
    await eventually('it has hung up', () => server.smtp.open === 0);
  });

  it('does not wait for the reply to QUIT', async () => {
    const { server, probe } = await openProbe({ on: { QUIT: { next: 'hang' } } });
    expect(await ask(probe)).toMatchObject({ kind: 'accepted' });
    await silenceAt(server, 'QUIT');
    timer.advance(2_000);
    await eventually('it has hung up', () => server.smtp.open === 0);
    expect(timer.waiting).toBe(0);
  });

  it('disconnects when the caller aborts, during the conversation and during the lookup', async () => {
    const { server, probe } = await openProbe({ on: { MAIL: { next: 'hang' } } });
    const patience = new AbortController();
    const question = { address: ADA, hosts: ['mx.example.com'], deadline: timer.in(60_000), askCatchAll: false };
    const asking = probe.ask({ ...question, signal: patience.signal });
    await silenceAt(server, 'MAIL');
    patience.abort(new Error('enough'));
    await expect(asking).rejects.toThrow('enough');
    await eventually('it has hung up', () => server.smtp.open === 0);

    const stuck = getProbe({ port: server.smtp.port, timer, lookup: () => new Promise(() => undefined) });
    const second = new AbortController();
    const looking = stuck.ask({ ...question, signal: second.signal });
    second.abort(new Error('enough of that'));
    await expect(looking).rejects.toThrow('enough of that');
    expect(timer.waiting).toBe(0);
  });
});
