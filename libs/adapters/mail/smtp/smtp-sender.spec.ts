import { setImmediate as nextLoop } from 'node:timers/promises';
import { inspect } from 'node:util';
import { eventually } from '@testing';
import { MailError } from '../port/mail.errors';
import { ScriptedSmtp, type SmtpScript } from './testing/scripted-smtp';
import {
  CANARY,
  closeAll,
  messageTo,
  ONE_BY_ONE,
  PIPELINED,
  sender,
  sendThrough,
  server,
  yes,
} from './testing/smtp-harness';

afterEach(closeAll);

describe('SmtpSender.send', () => {
  it.each([
    ['pipelined', PIPELINED],
    ['one command at a time', ONE_BY_ONE],
  ])('submits a message once, byte by byte unchanged (%s)', async (_how, capabilities) => {
    const smtp = await server({ capabilities: [...capabilities] });
    const message = messageTo('bob@example.com', 200_000);
    const asked = jest.fn(yes);
    const outcome = await sender(smtp, { plain: true }).send(message, { beforeHandover: asked });
    expect(outcome).toEqual({
      kind: 'accepted',
      lastReply: { code: '250', enhancedCode: '2.0.0', command: 'DATA', response: '250 2.0.0 queued as 4711' },
      providerMessageId: null,
      providerThreadId: null,
    });
    expect(smtp.messages).toEqual([message.raw.toString('latin1')]);
    expect(asked.mock.calls).toEqual([[{ draftId: null }]]);
    expect(smtp.commands).toContain('MAIL FROM:<ada@sender.test>');
    expect(smtp.commands).toContain('RCPT TO:<bob@example.com>');
  });

  it('calls the ready check before the first byte of the message, after everything else was accepted', async () => {
    const smtp = await server({});
    let heard: readonly string[] = [];
    await sender(smtp).send(messageTo('bob@example.com'), {
      beforeHandover: () => {
        heard = [...smtp.commands];
        expect(smtp.messages).toEqual([]);
        return yes();
      },
    });
    expect(heard.at(-1)).toBe('DATA');
    expect(smtp.messages).toHaveLength(1);
  });

  it('submits nothing when the caller withholds, and stays usable', async () => {
    const smtp = await server({});
    const mail = sender(smtp);
    const held = await mail.send(messageTo('bob@example.com'), { beforeHandover: () => Promise.resolve(false) });
    expect(held).toEqual({ kind: 'withheld' });
    const given = await mail.send(messageTo('eve@example.com'), { beforeHandover: yes });
    expect(given.kind).toBe('accepted');
    expect(smtp.messages).toHaveLength(1);
    expect(smtp.messages[0]).toContain('eve@example.com');
  });

  it.each([new Error('marker'), new MailError({ failure: 'permanent', stage: 'request', message: 'marker' })])(
    'fails with the error of the ready check, and submits nothing',
    async (broken) => {
      const smtp = await server({});
      const sending = sender(smtp).send(messageTo('bob@example.com'), { beforeHandover: () => Promise.reject(broken) });
      await expect(sending).rejects.toBe(broken);
      expect(smtp.messages).toEqual([]);
    },
  );

  it('returns the result of the ready check even when the server disconnected meanwhile', async () => {
    const smtp = await server({});
    const whileAsked = (answer: () => Promise<boolean>) =>
      sender(smtp).send(messageTo('bob@example.com'), {
        beforeHandover: async () => {
          smtp.dropAll();
          await eventually('the connection is closed', () => smtp.open === 0);
          // The server runs in this process, so its close is read in a later event-loop tick.
          for (let checks = 0; checks < 5; checks += 1) await nextLoop();
          return answer();
        },
      });
    await expect(whileAsked(() => Promise.reject(new Error('marker')))).rejects.toThrow('marker');
    expect(await whileAsked(() => Promise.resolve(false))).toEqual({ kind: 'withheld' });
    expect(await whileAsked(yes)).toMatchObject({ kind: 'temporary', stage: 'handover' });
    expect(smtp.messages).toEqual([]);
  });

  it('withholds when it is aborted before the ready check, at any stage', async () => {
    for (const cue of ['CONNECT', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA'] as const) {
      const abort = new AbortController();
      const stop = () => void setImmediate(() => abort.abort());
      const smtp = await server({ on: { [cue]: () => (stop(), { next: 'hang' as const }) } });
      const asked = jest.fn(yes);
      const outcome = await sender(smtp).send(messageTo('bob@example.com'), {
        beforeHandover: asked,
        signal: abort.signal,
      });
      expect([cue, outcome]).toEqual([cue, { kind: 'withheld' }]);
      expect(asked).not.toHaveBeenCalled();
    }
  });

  it('continues when it is aborted after the ready check', async () => {
    const abort = new AbortController();
    const smtp = await server({});
    const outcome = await sender(smtp).send(messageTo('bob@example.com'), {
      beforeHandover: () => (abort.abort(), yes()),
      signal: abort.signal,
    });
    expect(outcome.kind).toBe('accepted');
    expect(smtp.messages).toHaveLength(1);
  });

  describe('refusals', () => {
    it.each([
      ['CONNECT', '421 4.3.2 too busy', 'temporary', 'greeting'],
      ['CONNECT', '554 5.7.1 no service for you', 'needs-human', 'greeting'],
      ['EHLO', '421 4.3.2 going down', 'temporary', 'greeting'],
      ['AUTH', '535 5.7.8 wrong password', 'needs-human', 'login'],
      ['AUTH', '534 5.7.9 use an application password', 'needs-human', 'login'],
      ['AUTH', '535 5.7.139 basic authentication is disabled', 'needs-human', 'login'],
      ['AUTH', '454 4.7.0 try later', 'temporary', 'login'],
      ['AUTH', '432 4.7.12 a password transition is needed', 'needs-human', 'login'],
      ['AUTH', '432 4.3.2 concurrent connections limit exceeded', 'temporary', 'login'],
      ['AUTH', '421 4.7.0 too many logins', 'temporary', 'login'],
      ['MAIL', '421 4.7.0 enough', 'temporary', 'sender'],
      ['MAIL', '451 4.3.0 later', 'temporary', 'sender'],
      ['MAIL', '530 5.7.0 authentication required', 'needs-human', 'sender'],
      ['MAIL', '553 5.7.1 not your address', 'permanent', 'sender'],
      ['RCPT', '421 4.7.0 enough', 'temporary', 'recipient'],
      ['RCPT', '450 4.2.1 greylisted', 'temporary', 'recipient'],
      ['RCPT', '550 5.1.1 no such user', 'permanent', 'recipient'],
      ['RCPT', '550-5.1.1 no such user\n550 5.1.1 really not', 'permanent', 'recipient'],
      ['DATA', '421 4.7.0 enough', 'temporary', 'data'],
      ['DATA', '451 4.3.0 later', 'temporary', 'data'],
      ['DATA', '554 5.5.1 no valid recipients', 'permanent', 'data'],
      ['MESSAGE', '421 4.7.0 enough', 'temporary', 'handover'],
      ['MESSAGE', '452 4.3.1 disk full', 'temporary', 'handover'],
      ['MESSAGE', '550 5.7.1 looks like spam', 'permanent', 'handover'],
      ['MESSAGE', '554 5.7.9 not accepted for policy reasons', 'permanent', 'handover'],
    ] as const)('%s with the reply %j is %s at the stage %s', async (cue, say, kind, stage) => {
      for (const capabilities of [PIPELINED, ONE_BY_ONE]) {
        const { outcome, asked } = await sendThrough({ capabilities, on: { [cue]: { say } } }, { plain: true });
        const enhancedCode = /\d\.\d+\.\d+/.exec(say)?.[0];
        expect(outcome).toMatchObject({ kind, failure: kind, stage });
        expect(outcome).toMatchObject({ lastReply: { code: say.slice(0, 3), enhancedCode, response: say } });
        expect(asked).toBe(cue === 'MESSAGE' ? 1 : 0);
      }
    });

    it('sends to the next recipient after a refusal, on the same connection', async () => {
      const on: SmtpScript['on'] = {
        RCPT: (_seen, line) => (line.includes('nobody') ? { say: '550 5.1.1 no such user' } : undefined),
      };
      for (const capabilities of [PIPELINED, ONE_BY_ONE]) {
        const smtp = await server({ capabilities, on: { ...on, DATA: afterAnAcceptedRecipient } });
        const mail = sender(smtp, { plain: true });
        expect((await mail.send(messageTo('nobody@example.com'), { beforeHandover: yes })).kind).toBe('permanent');
        expect((await mail.send(messageTo('bob@example.com'), { beforeHandover: yes })).kind).toBe('accepted');
        expect(smtp.seen).toHaveLength(1);
        expect(smtp.messages).toHaveLength(1);
        expect(smtp.commands).toContain('RSET');
      }
    });

    it('submits no message to a server that accepts DATA after it refused the recipient', async () => {
      const { outcome, asked, smtp } = await sendThrough(
        { capabilities: PIPELINED, on: { RCPT: { say: '550 5.1.1 no such user' } } },
        { plain: true },
      );
      expect(outcome).toMatchObject({ kind: 'permanent', stage: 'recipient' });
      expect(asked).toBe(0);
      expect(smtp.messages.join('')).not.toContain('Subject');
    });

    it('refuses a message that exceeds the server’s capabilities', async () => {
      const small = await sendThrough({ capabilities: ['SIZE 1000', 'AUTH PLAIN'] }, { plain: true }, 5_000);
      expect(small.outcome).toMatchObject({
        kind: 'permanent',
        stage: 'sender',
        message: expect.stringContaining('1000'),
      });
      const smtp = await server({});
      const utf8 = await sender(smtp).send(messageTo('ünal@example.com'), { beforeHandover: yes });
      expect(utf8).toMatchObject({
        kind: 'permanent',
        stage: 'recipient',
        message: expect.stringContaining('SMTPUTF8'),
      });
      expect(smtp.commands.join()).not.toContain('MAIL');
    });

    it('sends to an address beyond ASCII when the server supports it', async () => {
      const smtp = await server({ capabilities: ['SMTPUTF8', '8BITMIME', 'AUTH PLAIN'] });
      const outcome = await sender(smtp, { plain: true }).send(messageTo('ünal@example.com'), { beforeHandover: yes });
      expect(outcome.kind).toBe('accepted');
      expect(smtp.commands).toContain('MAIL FROM:<ada@sender.test> SMTPUTF8 BODY=8BITMIME');
    });

    it.each(['bob@example.com> SIZE=1', 'bob@example.com\r\nRCPT TO:<eve@evil.test>', 'bob eve@example.com', ''])(
      'puts no envelope such as %j into a command',
      async (to) => {
        const smtp = await server({});
        const message = { ...messageTo('bob@example.com'), envelope: { from: 'ada@sender.test', to } };
        const outcome = await sender(smtp).send(message, { beforeHandover: yes });
        expect(outcome).toMatchObject({ kind: 'permanent', stage: 'recipient' });
        expect(smtp.seen).toEqual([]);
      },
    );
  });

  it('keeps the credentials out of all results and errors, even if the server repeats them', async () => {
    const seen: string[] = [];
    for (const method of ['password', 'xoauth2'] as const) {
      for (const mechanism of ['PLAIN', 'LOGIN', 'XOAUTH2']) {
        for (const cue of ['AUTH', 'SASL', 'MAIL'] as const) {
          const smtp = await ScriptedSmtp.start({
            capabilities: [`AUTH ${mechanism}`],
            on: {
              AUTH: (_seen, line) =>
                cue === 'AUTH'
                  ? { say: `535-5.7.8 ${line}\n535 5.7.8 ${line.slice(0, 40).toUpperCase()}` }
                  : mechanism === 'PLAIN'
                    ? undefined
                    : { say: '334 eyJzdGF0dXMiOiI0MDEifQ==' },
              SASL: (_seen, line) => (cue === 'SASL' ? { say: `535 5.7.8 ${line} ${CANARY}` } : undefined),
              MAIL: () => ({ say: `550 5.7.1 ${CANARY} ${Buffer.from(CANARY).toString('base64')}` }),
            },
          });
          const mail = sender(smtp, { plain: true, method });
          const outcome = await mail.send(messageTo('bob@example.com'), { beforeHandover: yes });
          const given = [outcome, await mail.verify(), mail];
          seen.push(JSON.stringify(given), inspect(given, { depth: 20, showHidden: true }));
          await mail.close();
          await smtp.close();
        }
      }
    }
    expect(seen.join()).toContain('[redacted]');
    for (const form of [
      CANARY,
      Buffer.from(CANARY).toString('base64'),
      Buffer.from(`\0ada\0${CANARY}`).toString('base64').slice(0, 20),
    ]) {
      expect(seen.join().toLowerCase()).not.toContain(form.toLowerCase());
    }
  });
});

function afterAnAcceptedRecipient(seen: { commands: string[] }) {
  const recipient = seen.commands.findLast((line) => line.startsWith('RCPT'));
  return recipient?.includes('nobody') ? { say: '554 5.5.1 no valid recipients' } : undefined;
}
