import { AppError } from '@platform/errors';
import { toCheckError, findFailure, getSecrets } from './mailbox-check';
import { refusal } from './testing/scripted.driver';

const ok = { ok: true } as const;
const failed = (more: Parameters<typeof refusal>[0] = {}) => ({ ok: false, ...refusal(more) }) as const;
const refused = (...args: Parameters<typeof toCheckError>): AppError => {
  const error = toCheckError(...args);
  if (!error) throw new Error('nothing was refused');
  return error;
};

describe('the check of a login', () => {
  it('reports nothing if both halves accept the login', () => {
    expect(toCheckError({ outgoing: ok, incoming: ok }, [])).toBeNull();
  });

  it('reports the failed half, the reason and the server’s reply', () => {
    const error = refused({ outgoing: failed(), incoming: ok }, []);
    expect({ code: error.code, kind: error.type.kind, message: error.message, details: error.details }).toEqual({
      code: 'MAILBOX_CHECK_FAILED',
      kind: 'unprocessable',
      message:
        'The outgoing server (SMTP) cannot be used: The login was refused (the server said: 535 5.7.8 Bad credentials)',
      details: [{ field: 'smtpPassword', message: error.message }],
    });
  });

  it('names both halves if both fail', () => {
    const lastReply = { code: 'AUTHENTICATIONFAILED', enhancedCode: null, command: 'LOGIN', response: 'Invalid' };
    const error = refused(
      { outgoing: failed({ stage: 'connect', lastReply: null }), incoming: failed({ lastReply }) },
      [],
    );
    expect(error.details?.map(({ field }) => field)).toEqual(['smtpPort', 'imapPassword']);
    expect(error.message).toMatch(/^The outgoing server \(SMTP\).*; The incoming server \(IMAP\).*Invalid\)$/);
  });

  it.each([
    ['resolve', 'imapHost'],
    ['connect', 'imapPort'],
    ['tls', 'imapSecure'],
    ['greeting', 'imapPort'],
    ['login', 'imapPassword'],
    ['request', 'imapHost'],
  ] as const)('that fails at %s points to %s', (stage, field) => {
    expect(refused({ outgoing: ok, incoming: failed({ stage }) }, []).details?.[0]?.field).toBe(field);
  });

  it('does not blame the password if a server cannot verify any login now', () => {
    const error = refused({ outgoing: failed({ failure: 'temporary' }), incoming: ok }, []);
    const message = expect.stringContaining('cannot be used at the moment');
    expect(error.details).toEqual([{ field: 'smtpHost', message }]);
  });

  it('treats a host that policy forbids as an invalid field, and still reports the other half', () => {
    const error = refused({ outgoing: failed({ stage: 'address' }), incoming: failed() }, []);
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(error.details?.map(({ field }) => field)).toEqual(['smtpHost', 'imapPassword']);
  });

  it.each([
    ['the password', 'hunter2-canary'],
    ['the password in base64', Buffer.from('hunter2-canary').toString('base64')],
    ['its form in SASL PLAIN', Buffer.from('\0ada\0hunter2-canary').toString('base64')],
  ])('does not repeat %s if a server does', (_what, echoed) => {
    const lastReply = { code: '500', enhancedCode: null, command: 'AUTH', response: `500 what is "${echoed}"?` };
    const login = { user: 'ada', password: 'hunter2-canary' };
    const error = refused(
      { outgoing: failed({ lastReply, message: `Refused ${echoed}` }), incoming: ok },
      getSecrets([login]),
    );
    expect(JSON.stringify([error.message, error.details])).not.toContain(echoed);
    expect(error.message).toContain('[redacted]');
  });
});

describe('the failure that a check reports', () => {
  const busy = failed({ failure: 'temporary', stage: 'busy' });

  it.each([
    ['no failure if both halves accept the login', { outgoing: ok, incoming: ok }, null],
    [
      'the first of two failed halves',
      { outgoing: failed(), incoming: failed({ stage: 'connect' }) },
      ['outgoing', 'login'],
    ],
    ['a failed half while the other was busy', { outgoing: busy, incoming: failed() }, ['incoming', 'login']],
    ['`busy` if nothing else failed', { outgoing: busy, incoming: ok }, ['outgoing', 'busy']],
  ] as const)('%s', (_what, check, expected) => {
    const found = findFailure(check);
    expect(found && [found.half, found.failure.stage]).toEqual(expected);
  });
});
