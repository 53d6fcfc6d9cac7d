import { returnedCode } from './authorization-callback';

describe('the parameters of a vendor’s redirect', () => {
  it.each([
    [{ code: 'abc', state: 's' }, { code: 'abc' }],
    [{ code: 'x'.repeat(4_096) }, { code: 'x'.repeat(4_096) }],
    [{ error: 'access_denied' }, { why: 'denied', message: 'Consent was not given' }],
    [
      { error: 'access_denied', code: 'abc' },
      { code: null, why: 'denied' },
    ],
    [{ error: 'server_error' }, { why: 'failed', message: expect.stringContaining('(server_error)') as string }],
    [{}, { why: 'failed', message: expect.stringContaining('no code') as string }],
    [{ code: '' }, { code: null, why: 'failed' }],
    [{ code: ['a', 'b'] }, { code: null, why: 'failed' }],
    [{ code: 'x'.repeat(4_097) }, { code: null, why: 'failed' }],
  ])('%j', (parameters, expected) => {
    expect(returnedCode(parameters)).toMatchObject(expected);
  });

  it.each(['<script>', 'call 0800 now', 'x'.repeat(65), ['a']])(
    'does not repeat the text %j, which is not an error code',
    (error) => {
      const returned = returnedCode({ error });
      expect(returned).toMatchObject({ code: null, message: 'The vendor aborted the authorization; start again' });
    },
  );
});
