import { isGrantRevoked, OAuthError } from '@platform/oauth';
import { OutboundError } from '@platform/outbound';
import { coversScopes, toMailError } from './oauth-answer';

const refusalOf = (status: number, code: string | null, description = '', retryAfterMs: number | null = null) =>
  toMailError(new OAuthError({ status, code, description, retryAfterMs }, `Refused (${code ?? status})`));

describe('the refusal of a token server', () => {
  it.each(['invalid_grant', 'unauthorized_client', 'interaction_required', 'consent_required', 'invalid_scope'])(
    'needs a person after %s',
    (error) => {
      const refusal = refusalOf(400, error, 'AADSTS700082: expired\r\nTrace');
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
    [401, 'invalid_client', 'invalid_client'],
    [400, 'invalid_request', 'invalid_request'],
    [400, null, '400'],
    [500, 'invalid_grant', 'invalid_grant'],
    [429, 'invalid_grant', 'invalid_grant'],
    [503, null, '503'],
    [302, null, '302'],
    [200, 'invalid_grant', '200'],
    [200, null, '200'],
  ])('is retried later after %i %j', (status, error, code) => {
    const refusal = refusalOf(status, error);
    expect(refusal.failure).toBe('temporary');
    expect(refusal.lastReply?.code).toBe(code);
  });

  it('may ask to wait', () => {
    expect(refusalOf(429, null, '', 30_000).retryAfterMs).toBe(30_000);
  });

  it('is temporary without a response', () => {
    const cause = new OutboundError('connect', 'No connection', { retry: true });
    const error = toMailError(new OAuthError(null, cause.message, { cause }));
    expect(error).toMatchObject({ failure: 'temporary', stage: 'connect', message: 'No connection', cause });
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
