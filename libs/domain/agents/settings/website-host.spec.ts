import fc from 'fast-check';
import { parseWebsiteHost } from './website-host';

describe('websiteHost', () => {
  it.each([
    ['example.com', 'example.com'],
    [' Example.COM ', 'example.com'],
    ['https://example.com', 'example.com'],
    ['http://www.example.com/de/index.html?a=b#c', 'www.example.com'],
    ['HTTPS://EXAMPLE.COM/', 'example.com'],
    ['example.com/about', 'example.com'],
    ['example.com.', 'example.com'],
    ['https://example.com:443/', 'example.com'],
    ['müller.de', 'xn--mller-kva.de'],
    ['xn--mller-kva.de', 'xn--mller-kva.de'],
    ['例え.jp', 'xn--r8jz45g.jp'],
    ['a.b.c.example.co.uk', 'a.b.c.example.co.uk'],
  ])('reads %j as %s', (given, host) => {
    expect(parseWebsiteHost(given)).toBe(host);
  });

  it.each([
    '',
    ' ',
    'localhost',
    'http://localhost/',
    'intranet',
    '127.0.0.1',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://[::1]/',
    '169.254.169.254',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'javascript://example.com/%0aalert(1)',
    'data:text/html,x',
    'mailto:ada@example.com',
    'https://user:password@example.com/',
    'https://user@example.com/',
    'https://example.com:8080/',
    'example.com:22',
    'not a website',
    'exa mple.com',
    'https://exam\nple.com/',
    'https:\\\\example.com',
    'exa_mple.com',
    '-example.com',
    'example..com',
    'https://',
    '.com',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(130)}com`,
    `https://example.com/${'a'.repeat(2_050)}`,
    'exa\u202emple.com',
  ])('rejects %j', (given) => {
    expect(parseWebsiteHost(given)).toBeNull();
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.domain(), fc.string()), (given) => {
        const host = parseWebsiteHost(given);
        return host === null || parseWebsiteHost(host) === host;
      }),
    );
  });
});
