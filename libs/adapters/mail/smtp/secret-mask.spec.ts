import fc from 'fast-check';
import { base64, maskFor, plainResponse, SecretMask, xoauth2Response } from './secret-mask';

const SECRET = 'canary-Pa55word-7f3e91-wings';
const password = maskFor({ method: 'password', user: 'ada', password: SECRET });
const token = maskFor({ method: 'xoauth2', user: 'ada', accessToken: SECRET });

describe('SecretMask', () => {
  it.each([
    [password, SECRET],
    [password, base64(SECRET)],
    [password, base64(plainResponse('ada', SECRET))],
    [password, base64(plainResponse('ada', SECRET)).slice(0, 20)],
    [password, SECRET.toUpperCase()],
    [token, SECRET],
    [token, base64(xoauth2Response('ada', SECRET))],
    [token, base64(xoauth2Response('ada', SECRET)).slice(10, 40)],
  ])('masks a secret in every repeated form', (mask, form) => {
    expect(mask.apply(`500 what is ${form}?`)).toBe('500 what is [redacted]?');
  });

  it('leaves everything else unchanged', () => {
    expect(password.apply('535 5.7.8 Error: authentication failed: ada')).toBe(
      '535 5.7.8 Error: authentication failed: ada',
    );
    expect(new SecretMask().apply('250 ok')).toBe('250 ok');
    expect(maskFor({ method: 'password', user: 'ada', password: 'ok' }).apply('250 ok')).toBe('250 ok');
  });

  it('finds every secret at every position', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 3, maxLength: 40 }), fc.string(), fc.string(), (secret, before, after) => {
        const masked = new SecretMask([secret]).apply(`${before}${secret}${after}`);
        expect(masked.replaceAll('[redacted]', '\0')).not.toContain(secret);
      }),
    );
  });
});
