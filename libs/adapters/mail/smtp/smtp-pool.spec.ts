import { eventually } from '@testing';
import { type SmtpScript } from './testing/scripted-smtp';
import { closeAll, messageTo, sender, server, yes } from './testing/smtp-harness';

afterEach(closeAll);

const many = (count: number) => Array.from({ length: count }, (_, index) => messageTo(`lead${index}@example.com`));

describe('the connections of an SmtpSender', () => {
  it.each([
    ['the default', {}, 2],
    ['one', { maxConnections: 1 }, 1],
    ['more', { maxConnections: 5 }, 5],
    ['more than Microsoft takes', { maxConnections: 5, host: 'smtp.office365.com' }, 3],
    ['more than Outlook takes', { maxConnections: 5, host: 'smtp-mail.outlook.com' }, 3],
    ['none', { maxConnections: 0 }, 1],
  ])('are never more than allowed: %s', async (_what, options, most) => {
    const smtp = await server({ capabilities: ['AUTH PLAIN'] });
    let busy = 0;
    const gate = Promise.withResolvers<boolean>();
    const mail = sender(smtp, { plain: true, ...options });
    const sends = many(12).map((message) => mail.send(message, { beforeHandover: () => (busy++, gate.promise) }));
    await eventually('all connections are busy', () => busy === most);
    gate.resolve(true);
    for (const outcome of await Promise.all(sends)) expect(outcome.kind).toBe('accepted');
    expect(smtp.messages).toHaveLength(12);
    expect(smtp.seen).toHaveLength(most);
  });

  it('serve waiting sends in order', async () => {
    const smtp = await server({});
    const mail = sender(smtp, { maxConnections: 1 });
    const messages = many(6);
    await Promise.all(messages.map((message) => mail.send(message, { beforeHandover: yes })));
    expect(smtp.messages.map((message) => /lead\d/.exec(message)?.[0])).toEqual(
      messages.map((_, index) => `lead${index}`),
    );
  });

  it('remove a waiting send when it is aborted, and give its slot to the next', async () => {
    const smtp = await server({});
    const mail = sender(smtp, { maxConnections: 1 });
    const gate = Promise.withResolvers<boolean>();
    const abort = new AbortController();
    const [first, second, third] = many(3);
    const sending = mail.send(first!, { beforeHandover: () => gate.promise });
    const waiting = mail.send(second!, { beforeHandover: yes, signal: abort.signal });
    const last = mail.send(third!, { beforeHandover: yes });
    abort.abort();
    expect(await waiting).toEqual({ kind: 'withheld' });
    gate.resolve(true);
    expect([(await sending).kind, (await last).kind]).toEqual(['accepted', 'accepted']);
    expect(smtp.messages).toHaveLength(2);
  });

  it('refuse too many waiting sends instead of filling the memory', async () => {
    const smtp = await server({ on: { CONNECT: { next: 'hang' } } });
    const mail = sender(smtp, { maxConnections: 1 });
    const sends = many(502).map((message) => mail.send(message, { beforeHandover: yes }));
    expect(await sends.at(-1)).toMatchObject({
      kind: 'temporary',
      stage: 'busy',
      message: expect.stringContaining('500'),
    });
    await mail.close();
    expect(new Set((await Promise.all(sends)).map(({ kind }) => kind))).toEqual(new Set(['temporary']));
    expect(smtp.messages).toEqual([]);
  });

  it('are replaced after 100 messages', async () => {
    const smtp = await server({ capabilities: ['PIPELINING', 'AUTH PLAIN'] });
    const mail = sender(smtp, { plain: true, maxConnections: 1 });
    for (const message of many(101)) await mail.send(message, { beforeHandover: yes });
    expect(smtp.seen.map(({ messages }) => messages.length)).toEqual([100, 1]);
    expect(smtp.seen[0]?.commands.at(-1)).toBe('QUIT');
  });

  it('send QUIT when idle', async () => {
    const smtp = await server({});
    const mail = sender(smtp, { limits: { idleMs: 10 } });
    await mail.send(messageTo('bob@example.com'), { beforeHandover: yes });
    await eventually('all connections are closed', () => smtp.open === 0);
    expect(smtp.seen[0]?.commands.at(-1)).toBe('QUIT');
    expect((await mail.send(messageTo('bob@example.com'), { beforeHandover: yes })).kind).toBe('accepted');
    expect(smtp.seen).toHaveLength(2);
  });

  it('are reopened when the server has closed them meanwhile', async () => {
    const smtp = await server({});
    const mail = sender(smtp);
    await mail.send(messageTo('bob@example.com'), { beforeHandover: yes });
    smtp.dropAll();
    expect((await mail.send(messageTo('eve@example.com'), { beforeHandover: yes })).kind).toBe('accepted');
    expect(smtp.messages).toHaveLength(2);
  });

  it.each(['MAIL', 'RCPT', 'DATA', 'RSET'] as const)(
    'are reopened once when the server ends an old one at %s, by a disconnect, 421 or silence',
    async (cue) => {
      for (const act of [
        { next: 'drop' },
        { next: 'reset' },
        { say: '421 4.4.2 timeout', next: 'drop' },
        { next: 'hang' },
      ] as const) {
        const smtp = await server({ capabilities: ['AUTH PLAIN'] });
        const mail = sender(smtp, { plain: true, maxConnections: 1, limits: { commandMs: 60 } });
        // With RSET the first message leaves a transaction open.
        const refused: SmtpScript['on'] = { RCPT: { say: '550 5.1.1 no' } };
        smtp.follow({ capabilities: ['AUTH PLAIN'], on: cue === 'RSET' ? refused : {} });
        await mail.send(messageTo('bob@example.com'), { beforeHandover: yes });
        smtp.follow({
          capabilities: ['AUTH PLAIN'],
          on: { [cue]: (seen: { index: number }) => (seen.index === 0 ? act : undefined) },
        });
        const asked = jest.fn(yes);
        const outcome = await mail.send(messageTo('eve@example.com'), { beforeHandover: asked });
        expect([cue, act, outcome.kind]).toEqual([cue, act, 'accepted']);
        expect(asked).toHaveBeenCalledTimes(1);
        expect(smtp.seen).toHaveLength(2);
        expect(smtp.messages.filter((message) => message.includes('eve@'))).toHaveLength(1);
      }
    },
  );

  it('are not opened a third time', async () => {
    const smtp = await server({});
    const mail = sender(smtp);
    await mail.send(messageTo('bob@example.com'), { beforeHandover: yes });
    smtp.follow({ on: { MAIL: { say: '421 4.7.0 not today', next: 'drop' } } });
    const outcome = await mail.send(messageTo('eve@example.com'), { beforeHandover: yes });
    expect(outcome).toMatchObject({ kind: 'temporary', stage: 'sender', lastReply: { code: '421' } });
    expect(smtp.seen).toHaveLength(2);
  });

  it('are never reopened for a message after its ready check', async () => {
    const smtp = await server({});
    const mail = sender(smtp);
    await mail.send(messageTo('bob@example.com'), { beforeHandover: yes });
    const asked = jest.fn(() => (smtp.dropAll(), yes()));
    const outcome = await mail.send(messageTo('eve@example.com'), { beforeHandover: asked });
    expect(['temporary', 'ambiguous']).toContain(outcome.kind);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(smtp.seen).toHaveLength(1);
  });
});

describe('SmtpSender.close', () => {
  it('ends idle connections politely', async () => {
    const smtp = await server({});
    const mail = sender(smtp);
    await mail.send(messageTo('bob@example.com'), { beforeHandover: yes });
    await mail.close();
    await eventually('all connections are closed', () => smtp.open === 0);
    expect(smtp.commands.at(-1)).toBe('QUIT');
  });

  it('fails running, waiting and later sends', async () => {
    for (const cue of ['CONNECT', 'AUTH', 'RCPT'] as const) {
      const smtp = await server({ on: { [cue]: { next: 'hang' } } });
      const mail = sender(smtp, { maxConnections: 1 });
      const sends = many(3).map((message) => mail.send(message, { beforeHandover: yes }));
      await eventually('a connection is there', () => smtp.seen.length === 1);
      await mail.close();
      const later = mail.send(messageTo('bob@example.com'), { beforeHandover: yes });
      for (const outcome of await Promise.all([...sends, later])) expect(outcome).toMatchObject({ kind: 'temporary' });
      expect(await mail.verify()).toMatchObject({ ok: false, failure: 'temporary' });
      await eventually('all connections are closed', () => smtp.open === 0);
      expect(smtp.messages).toEqual([]);
    }
  });

  it('leaves a message without a reply ambiguous', async () => {
    const smtp = await server({ on: { MESSAGE: { next: 'hang' } } });
    const mail = sender(smtp);
    const sending = mail.send(messageTo('bob@example.com'), { beforeHandover: yes });
    await eventually('the message has arrived', () => smtp.messages.length === 1);
    await mail.close();
    expect(await sending).toMatchObject({ kind: 'ambiguous' });
  });
});
