import { OutboundError, type OutboundResponse } from '@platform/outbound';
import { toFailedResult, toAttemptResult } from './attempt-result';

function answer(status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): OutboundResponse {
  return {
    status,
    headers,
    body: Buffer.from(body as string),
    truncated: false,
    incomplete: false,
    url: 'https://hooks.test/',
  };
}

describe('the result of a response', () => {
  it.each([200, 201, 202, 204, 299])('%i is a success', (status) => {
    expect(toAttemptResult(answer(status))).toMatchObject({
      accepted: true,
      isUnsubscribed: false,
      status,
      error: null,
    });
  });

  it.each([100, 199, 300, 301, 302, 307, 308, 400, 401, 404, 409, 429, 500, 503, 599])('%i is a failure', (status) => {
    expect(toAttemptResult(answer(status))).toMatchObject({
      accepted: false,
      isUnsubscribed: false,
      error: { code: 'status', message: `The receiver answered ${status}` },
    });
  });

  it('a 2xx response is a success even when its body is incomplete', () => {
    const begun = { ...answer(200, {}, 'and so'), incomplete: true };
    expect(toAttemptResult(begun)).toMatchObject({ accepted: true, response: 'and so', truncated: true, hung: true });
  });

  it('410 is recorded as gone', () => {
    expect(toAttemptResult(answer(410))).toMatchObject({ accepted: false, isUnsubscribed: true });
  });

  it.each([
    [429, '30', 30_000],
    [503, '5', 5_000],
    [503, undefined, null],
    [500, '30', null],
    [200, '30', null],
  ])('%i with Retry-After %s requests a pause of %s ms', (status, header, ms) => {
    const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header };
    expect(toAttemptResult(answer(status, headers)).retryAfterMs).toBe(ms);
  });

  it('stores the response as text, without a character cut at the end and without NUL', () => {
    const cut = Buffer.from('gr\0ün').subarray(0, 4);
    expect(toAttemptResult(answer(500, {}, cut)).response).toBe('gr');
    expect(toAttemptResult(answer(500, {}, Buffer.from([0x61, 0xff, 0x62]))).response).toBe('a\ufffdb');
  });
});

describe('the result of a request without a response', () => {
  it('contains the reason', () => {
    const error = new OutboundError('tls', 'No trusted TLS connection to hooks.test (CERT_HAS_EXPIRED)');
    expect(toFailedResult(error)).toMatchObject({
      accepted: false,
      status: null,
      hung: false,
      error: { code: 'tls', message: 'No trusted TLS connection to hooks.test (CERT_HAS_EXPIRED)' },
    });
  });

  it('distinguishes a hanging receiver from an unreachable one', () => {
    expect(toFailedResult(new OutboundError('timeout', 'late')).hung).toBe(true);
    expect(toFailedResult(new OutboundError('connect', 'away')).hung).toBe(false);
  });

  it('contains no details of an internal error', () => {
    expect(toFailedResult(new Error('whsec_abc')).error).toEqual({
      code: 'internal',
      message: 'The request could not be made',
    });
  });
});
