import { MailError } from '../port/mail.errors';
import { toGmailFailure, isGmailConnectionFailure, toUnansweredError } from './gmail-failures';
import { type GmailReply, googleError, refusals } from './testing/gmail-refusals';

const NOW = Date.parse('2026-11-21T10:00:00Z');

function meaning({ status, headers = {}, body }: GmailReply) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return toGmailFailure({ status, headers, body: text, command: 'GET messages/{id}', stage: 'request' }, NOW);
}

describe('a refusal by Gmail', () => {
  it.each<[string, GmailReply, string, number | null]>([
    ['an expired token', refusals.unauthorized(), 'needs-human', null],
    ['too many requests', refusals.rateLimit(), 'temporary', null],
    ['too many requests, with seconds', refusals.rateLimit('120'), 'temporary', 120_000],
    ['too many requests, with a date', refusals.rateLimit('Sat, 21 Nov 2026 10:01:00 GMT'), 'temporary', 60_000],
    [
      'too many requests, with a date that is over',
      refusals.rateLimit('Sat, 21 Nov 2026 09:00:00 GMT'),
      'temporary',
      0,
    ],
    ['too many requests, with nonsense', refusals.rateLimit('soon'), 'temporary', null],
    [
      'a time in the sentence',
      googleError(
        429,
        'rateLimitExceeded',
        'User-rate limit exceeded.  Retry after 2026-11-21T10:15:00.000Z (Mail sending)',
      ),
      'temporary',
      900_000,
    ],
    ['rateLimitExceeded as 403', refusals.quota(), 'temporary', null],
    ['userRateLimitExceeded', refusals.quota('userRateLimitExceeded'), 'temporary', null],
    ['quotaExceeded', refusals.quota('quotaExceeded'), 'temporary', null],
    ['the limit of a day', refusals.quota('dailyLimitExceeded'), 'temporary', 3_600_000],
    [
      'the reason of google.rpc.ErrorInfo',
      { status: 403, body: { error: { message: 'x', details: [{ reason: 'RATE_LIMIT_EXCEEDED' }] } } },
      'temporary',
      null,
    ],
    ['requests without a project', refusals.forbidden('dailyLimitExceededUnreg'), 'needs-human', null],
    ['a scope that is missing', refusals.forbidden('insufficientPermissions'), 'needs-human', null],
    ['an API that is switched off', refusals.forbidden('accessNotConfigured'), 'needs-human', null],
    ['an administrator who forbids it', refusals.forbidden('domainPolicy'), 'needs-human', null],
    ['a 403 without a reason', { status: 403, body: 'Forbidden' }, 'needs-human', null],
    ['an account without Gmail', refusals.mailServiceOff(), 'needs-human', null],
    [
      'a precondition told by status only',
      { status: 400, body: { error: { message: 'Precondition check failed.', status: 'FAILED_PRECONDITION' } } },
      'needs-human',
      null,
    ],
    ['a bad request', refusals.invalid('Invalid To header'), 'permanent', null],
    ['something that is not there', refusals.notFound(), 'permanent', null],
    ['a fault', refusals.backend(500), 'temporary', null],
    ['a redirect', { status: 302, body: '' }, 'temporary', null],
    ['a gateway’s page', { status: 502, body: '<html>Bad Gateway</html>' }, 'temporary', null],
    ['JSON of another shape', { status: 400, body: '{"error":"invalid"}' }, 'permanent', null],
    ['JSON that is null', { status: 503, body: 'null' }, 'temporary', null],
  ])('classifies %s', (_name, reply, failure, retryAfterMs) => {
    expect(meaning(reply)).toMatchObject({ failure, retryAfterMs });
  });

  it('keeps the text, the status and the command', () => {
    const { lastReply, message, stage } = meaning(refusals.invalid('Invalid To header'));
    expect(lastReply).toMatchObject({ code: '400', command: 'GET messages/{id}' });
    expect(lastReply?.response).toContain('Invalid To header');
    expect(message).toBe('Gmail answered 400 to GET messages/{id}: Invalid To header');
    expect(stage).toBe('request');
  });

  it('truncates an endless response to the storable length', () => {
    expect(meaning({ status: 500, body: 'x'.repeat(100_000) }).lastReply?.response).toHaveLength(2_000);
  });
});

describe('a request without a response', () => {
  const failed = (code: string): Error => Object.assign(new Error(code), { code });

  it.each([
    ['ENOTFOUND', 'resolve', 'temporary'],
    ['ECONNREFUSED', 'connect', 'temporary'],
    ['UND_ERR_CONNECT_TIMEOUT', 'connect', 'temporary'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls', 'temporary'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', 'temporary'],
    ['ECONNRESET', 'handover', 'ambiguous'],
    ['UND_ERR_DESTROYED', 'handover', 'ambiguous'],
    ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'handover', 'ambiguous'],
    ['UND_ERR_SOCKET', 'handover', 'ambiguous'],
    ['UND_ERR_HEADERS_TIMEOUT', 'handover', 'ambiguous'],
  ])('after %s failed at the stage %s, and a non-repeatable one is %s', (code, stage, failure) => {
    expect(toUnansweredError(failed(code), 'POST drafts/send', 'handover', false)).toMatchObject({ stage, failure });
    expect(toUnansweredError(failed(code), 'GET profile', 'handover', true).failure).toBe('temporary');
  });

  it('is classified by its cause, and by the first of several addresses', () => {
    const several = new AggregateError([failed('ECONNREFUSED'), failed('ENETUNREACH')]);
    const wrapped = new TypeError('fetch failed', { cause: several });
    expect(toUnansweredError(wrapped, 'GET profile', 'request', false).stage).toBe('connect');
  });

  it('counts as a lost connection only after one was established', () => {
    const lost = (code: string) =>
      isGmailConnectionFailure(toUnansweredError(failed(code), 'POST drafts', 'data', false));
    expect([lost('ECONNRESET'), lost('UND_ERR_HEADERS_TIMEOUT'), lost('ECONNREFUSED')]).toEqual([true, false, false]);
    expect(isGmailConnectionFailure(new MailError({ failure: 'temporary', stage: 'request', message: 'x' }))).toBe(
      false,
    );
  });
});
