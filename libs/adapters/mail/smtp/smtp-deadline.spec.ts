import { deadline, eventually } from '@testing';
import { closeAll, messageTo, ONE_BY_ONE, sender, server, yes } from './testing/smtp-harness';
import { type ScriptedSmtp } from './testing/scripted-smtp';

afterEach(closeAll);

const bob = () => messageTo('bob@example.com');
const MESSAGE_HANGS = { on: { MESSAGE: { next: 'hang' } } } as const;
const RCPT_HANGS = { capabilities: ONE_BY_ONE, on: { RCPT: { next: 'hang' } } } as const;

describe('a send with a waiting caller', () => {
  const waitFor = (smtp: ScriptedSmtp, command: string) =>
    eventually(`the server has heard ${command}`, () => smtp.commands.some((line) => line.startsWith(command)));

  it('is temporary when the deadline passes before the dot, is not repeated, and releases its slot', async () => {
    const smtp = await server({ capabilities: ONE_BY_ONE });
    const mail = sender(smtp, { maxConnections: 1, plain: true });
    await mail.send(bob(), { beforeHandover: yes });
    smtp.follow(RCPT_HANGS);
    const { signal, strike } = deadline();
    const sending = mail.send(bob(), { beforeHandover: yes, deadline: signal });
    await eventually('the server has heard a second RCPT', () => smtp.commands.join().split('RCPT').length === 3);
    strike();
    expect(await sending).toMatchObject({ kind: 'temporary', stage: 'recipient' });
    expect(smtp.seen).toHaveLength(1);
    smtp.follow({});
    expect((await mail.send(bob(), { beforeHandover: yes })).kind).toBe('accepted');
  });

  it('is ambiguous when the deadline passes after the dot, and releases its slot', async () => {
    const smtp = await server(MESSAGE_HANGS);
    const mail = sender(smtp, { maxConnections: 1 });
    const { signal, strike } = deadline();
    const sending = mail.send(bob(), { beforeHandover: yes, deadline: signal });
    await eventually('the message has arrived', () => smtp.messages.length === 1);
    strike();
    expect(await sending).toMatchObject({ kind: 'ambiguous', message: expect.stringContaining('may have been sent') });
    smtp.follow({});
    expect((await mail.send(bob(), { beforeHandover: yes })).kind).toBe('accepted');
  });

  it('submits nothing when the deadline passes during the ready check', async () => {
    const smtp = await server({});
    const { signal, strike } = deadline();
    const beforeHandover = () => (strike(), yes());
    const outcome = await sender(smtp).send(bob(), { beforeHandover, deadline: signal });
    expect(outcome).toMatchObject({ kind: 'temporary', stage: 'handover' });
    expect(smtp.messages).toEqual([]);
  });

  it.each([
    ['a send', 'temporary'],
    ['a check', undefined],
  ])('is busy, not faulty, when other sends occupy all connections until the deadline: %s', async (what, kind) => {
    const smtp = await server(RCPT_HANGS);
    const mail = sender(smtp, { maxConnections: 1, plain: true });
    const first = mail.send(bob(), { beforeHandover: yes });
    await waitFor(smtp, 'RCPT');
    const { signal, strike } = deadline();
    const waiting =
      what === 'a check' ? mail.verify(signal) : mail.send(bob(), { beforeHandover: yes, deadline: signal });
    strike();
    const expected = { failure: 'temporary', stage: 'busy', message: expect.stringContaining('is busy') };
    expect(await waiting).toMatchObject(kind === undefined ? { ok: false, ...expected } : { kind, ...expected });
    expect(smtp.seen).toHaveLength(1);
    await mail.close();
    await first;
  });
});
