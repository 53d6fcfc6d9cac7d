import { type GrantAnswer, isGrantRevoked, readGrant } from './token-response';

function read(status: number, body: unknown, headers: Record<string, string> = {}): GrantAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const url = 'https://vendor.example/token';
  return readGrant({ status, headers, body: Buffer.from(text), truncated: false, incomplete: false, url });
}

describe('the response of a token server', () => {
  it('contains tokens, scopes and further values of the vendor', () => {
    const body = { access_token: 'a', refresh_token: 'r', expires_in: 3599, scope: 'one  two', api_domain: 'x' };
    const grant = { accessToken: 'a', refreshToken: 'r', scopes: ['one', 'two'], livesForSeconds: 3_599 };
    expect(read(200, body)).toEqual({ kind: 'granted', grant, answer: body });
  });

  it.each([
    [undefined, null],
    ['3600', 3_600],
    [0, 0],
    [-5, 0],
    [1e12, 86_400],
    ['soon', null],
    [null, null],
  ])('with expires_in %j has the lifetime %j', (expires, livesForSeconds) => {
    expect(read(200, { access_token: 'a', expires_in: expires })).toMatchObject({ grant: { livesForSeconds } });
  });

  it.each([
    ['base,contacts:full', ['base', 'contacts:full']],
    ['', []],
    [undefined, null],
  ])('with the scopes %j has %j', (scope, scopes) => {
    expect(read(200, { access_token: 'a', scope })).toMatchObject({ grant: { scopes } });
  });

  it.each([
    [400, { error: 'invalid_grant', error_description: 'gone' }, true, 'invalid_grant'],
    [401, { error: 'invalid_client' }, false, 'invalid_client'],
    [500, { error: 'invalid_grant' }, false, 'invalid_grant'],
    [429, { error: 'invalid_grant' }, false, 'invalid_grant'],
    [400, { status: 'BAD_REFRESH_TOKEN' }, false, 'BAD_REFRESH_TOKEN'],
    [400, 'not JSON', false, null],
    [302, '', false, null],
  ])('with %i %j is a rejection, permanent: %j', (status, body, isGone, code) => {
    expect(read(status, body)).toMatchObject({ kind: 'refused', status, isGone, code });
  });

  it.each([
    [{ error: 'invalid_code' }, 'invalid_code'],
    [[], null],
    ['null', null],
    [{ access_token: '' }, null],
    [{ access_token: 5 }, null],
  ])('with 200 %j has no token', (body, code) => {
    expect(read(200, body)).toEqual({ kind: 'unusable', status: 200, code });
  });

  it.each([
    ['30', 30_000],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
    ['-1', null],
  ])('reads Retry-After %s', (header, retryAfterMs) => {
    expect(read(429, {}, { 'retry-after': header })).toMatchObject({ retryAfterMs });
  });

  it('shows by its code whether a person must act', () => {
    expect(['invalid_grant', 'consent_required', 'unauthorized_client'].every(isGrantRevoked)).toBe(true);
    expect(isGrantRevoked('invalid_client') || isGrantRevoked(null)).toBe(false);
  });
});
