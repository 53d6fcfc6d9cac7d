import { MailError } from '@adapters/mail';
import { isGrantRevoked } from '@platform/oauth';
import { coversScopes, toMailboxGrant } from './oauth-answer';

const NOW = new Date('2026-11-21T08:00:00.000Z');
const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  truncated: false,
  incomplete: false,
  url: 'https://vendor.example/token',
});

function refusalOf(status: number, body: unknown, headers?: Record<string, string>): MailError {
  try {
    toMailboxGrant(answer(status, body, headers), NOW);
  } catch (error) {
    if (error instanceof MailError) return error;
    throw error;
  }
  throw new Error('It was granted');
}

describe('the response of a token server', () => {
  it('contains tokens, scopes and the expiry of the access token', () => {
    const body = { access_token: 'a', refresh_token: 'r', expires_in: 3599, scope: 'one  two', token_type: 'Bearer' };
    expect(toMailboxGrant(answer(200, body), NOW)).toEqual({
      accessToken: 'a',
      refreshToken: 'r',
      scopes: ['one', 'two'],
      expiresAt: new Date('2026-11-21T08:59:59.000Z'),
    });
  });

  it.each([
    [undefined, 300],
    ['3600', 3_600],
    [0, 0],
    [-5, 0],
    [1e12, 86_400],
    ['soon', 300],
    [null, 300],
  ])('with a lifetime of %j seconds makes the token expire after %i', (expires, seconds) => {
    const { expiresAt } = toMailboxGrant(answer(200, { access_token: 'a', expires_in: expires }), NOW);
    expect((expiresAt.getTime() - NOW.getTime()) / 1000).toBe(seconds);
  });

  it('may omit a new refresh token and scopes', () => {
    expect(toMailboxGrant(answer(200, { access_token: 'a', refresh_token: '' }), NOW)).toMatchObject({
      refreshToken: null,
      scopes: null,
    });
  });

  it.each(['invalid_grant', 'unauthorized_client', 'interaction_required', 'consent_required', 'invalid_scope'])(
    'needs a person after %s',
    (error) => {
      const refusal = refusalOf(400, { error, error_description: 'AADSTS700082: expired\r\nTrace' });
      expect(refusal).toMatchObject({ failure: 'needs-human', stage: 'login' });
      expect(refusal.lastReply).toMatchObject({
        code: error,
        command: 'POST token',
        response: 'AADSTS700082: expired\nTrace',
      });
      expect(isGrantRevoked(refusal.lastReply!.code)).toBe(true);
    },
  );

  it.each([
    [401, { error: 'invalid_client' }, 'invalid_client'],
    [400, { error: 'invalid_request' }, 'invalid_request'],
    [400, 'not JSON', '400'],
    [500, { error: 'invalid_grant' }, 'invalid_grant'],
    [429, { error: 'invalid_grant' }, 'invalid_grant'],
    [503, '', '503'],
    [302, '', '302'],
    [200, { error: 'invalid_grant' }, '200'],
    [200, [], '200'],
    [200, 'null', '200'],
  ])('is retried later after %i %j', (status, body, code) => {
    const refusal = refusalOf(status, body);
    expect(refusal.failure).toBe('temporary');
    expect(refusal.lastReply?.code).toBe(code);
  });

  it.each([
    ['30', 30_000],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
    ['-1', null],
  ])('may ask to wait: %s', (header, retryAfterMs) => {
    expect(refusalOf(429, {}, { 'retry-after': header }).retryAfterMs).toBe(retryAfterMs);
  });

  it('is not repeated in the error if it is malformed', () => {
    const refusal = refusalOf(200, '{"access_token":"canary');
    expect(refusal.message + JSON.stringify(refusal.lastReply)).not.toContain('canary');
  });
});

describe('granted scopes', () => {
  it.each([
    [['Mail.Send'], ['Mail.Send'], true],
    [['https://graph.microsoft.com/mail.send', 'openid'], ['Mail.Send'], true],
    [['https://mail.google.com/'], ['https://mail.google.com/'], true],
    [['https://www.googleapis.com/auth/gmail.send'], ['https://mail.google.com/'], false],
    [['Mail.Send'], ['Mail.Send', 'Mail.ReadWrite'], false],
    [['Mail.Send.Shared'], ['Mail.Send'], false],
    [[], ['Mail.Send'], false],
    [null, ['Mail.Send'], true],
  ])('%j cover %j: %s', (granted, needed, covered) => {
    expect(coversScopes(granted, needed)).toBe(covered);
  });
});
