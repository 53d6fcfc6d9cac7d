import { redirectTarget, redirectWith } from './redirect-target';

const OWN = 'http://outreach.internal:3000';

describe('the redirect after a consent', () => {
  it.each([
    ['https://app.example.com', 'https://app.example.com/'],
    ['https://app.example.com:8443/a?b=c#d', 'https://app.example.com:8443/a?b=c#d'],
    ['HTTPS://APP.example.com/', 'https://app.example.com/'],
    ['http://localhost/', 'http://localhost/'],
    ['http://localhost:5173/x', 'http://localhost:5173/x'],
    ['http://127.0.0.1:80/', 'http://127.0.0.1/'],
    ['http://127.1/', 'http://127.0.0.1/'],
    ['http://[::1]:3000/', 'http://[::1]:3000/'],
    ['http://outreach.internal:3000/done', 'http://outreach.internal:3000/done'],
  ])('may be %s', (given, target) => {
    expect(redirectTarget(given, OWN)).toBe(target);
  });

  it.each([
    '',
    '/',
    '//app.example.com',
    'app.example.com',
    'http://app.example.com/',
    'http://outreach.internal/',
    'http://outreach.internal:3001/',
    'http://localhost.example.com/',
    'http://localhost@example.com/',
    'http://127.0.0.2/',
    'https://user@app.example.com/',
    'https://:password@app.example.com/',
    'http://user@outreach.internal:3000/',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://localhost/',
    'ws://localhost/',
    'blob:https://app.example.com/x',
    'blob:http://outreach.internal:3000/x',
    'file:///etc/passwd',
    `https://app.example.com/${'x'.repeat(2_000)}`,
  ])('is never %s', (given) => {
    expect(redirectTarget(given, OWN)).toBeNull();
  });

  it('adds the outcome to the existing parameters and replaces a forged status', () => {
    expect(redirectWith('https://a.example/?tab=1&status=completed#x', 'abc', 'failed')).toBe(
      'https://a.example/?tab=1&status=failed&session=abc#x',
    );
  });
});
