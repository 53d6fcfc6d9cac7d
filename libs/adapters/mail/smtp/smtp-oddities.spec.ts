import { type SmtpScript } from './testing/scripted-smtp';
import { closeAll, ONE_BY_ONE, sendThrough } from './testing/smtp-harness';

afterEach(closeAll);

describe('odd servers', () => {
  it('fails for a server that refuses EHLO, and sends no plain-text password to one that supports HELO only', async () => {
    const refused = await sendThrough({ on: { EHLO: { say: '550 5.7.1 no' } } });
    expect(refused.outcome).toMatchObject({
      kind: 'needs-human',
      stage: 'greeting',
      lastReply: { response: '550 5.7.1 no' },
    });
    const on: SmtpScript['on'] = { EHLO: { say: '502 5.5.1 what' }, HELO: { say: '250 hi' } };
    const old = await sendThrough({ on }, { plain: true });
    expect(old.outcome).toMatchObject({ kind: 'needs-human', stage: 'login', lastReply: null });
  });

  it('understands replies in many lines, sent byte by byte', async () => {
    const on: SmtpScript['on'] = { CONNECT: { say: '220-mail.test\n220-no spam please\n220 ESMTP' } };
    const { outcome } = await sendThrough({ drip: true, on });
    expect(outcome.kind).toBe('accepted');
  });

  it.each(['HTTP/1.1 400 Bad Request', 'SSH-2.0-OpenSSH_9.2p1', '* OK [CAPABILITY IMAP4rev1] ready', '+OK POP3 ready'])(
    'recognises another protocol by its greeting %j',
    async (say) => {
      const { outcome } = await sendThrough({ on: { CONNECT: { say } } });
      expect(outcome).toMatchObject({
        kind: 'needs-human',
        stage: 'greeting',
        lastReply: { code: null, response: say },
      });
    },
  );

  it('does not read an endless reply', async () => {
    const { outcome } = await sendThrough({ on: { CONNECT: { raw: `220-${'x'.repeat(100_000)}` } } });
    expect(outcome).toMatchObject({ kind: 'temporary', stage: 'greeting' });
  });

  it.each(['250', 'garbage', '\u0000\u0001'])('survives %j as the reply to MAIL', async (say) => {
    const { outcome } = await sendThrough({ capabilities: ONE_BY_ONE, on: { MAIL: { say } } }, { plain: true });
    expect(['temporary', 'accepted']).toContain(outcome.kind);
  });
});
