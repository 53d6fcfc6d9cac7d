import { isOfSite, getRedirectedSite, getSite } from './site-scope';

const site = getSite('https://www.acme.test/en/');

describe('a site', () => {
  it.each(['https://acme.test/', 'http://acme.test/a', 'https://www.acme.test/b?c=d'])('includes %s', (url) => {
    expect(isOfSite(site, url)).toBe(true);
  });

  it.each([
    'https://blog.acme.test/',
    'https://acme.test.evil.test/',
    'https://evil-acme.test/',
    'https://acme.test:8080/',
    'https://www.www.acme.test/',
    'http://127.0.0.1/',
  ])('excludes %s', (url) => expect(isOfSite(site, url)).toBe(false));

  it.each([
    ['https://acme.com/', 'https://en.acme.com/', 'en.acme.com'],
    ['https://acme.co.uk/', 'https://home.acme.co.uk/', 'home.acme.co.uk'],
    ['https://shop.acme.com/', 'https://acme.com/', 'acme.com'],
    ['https://acme.com/', 'http://www.acme.com/', 'acme.com'],
  ])('at %s may move to %s', (from, to, host) =>
    expect(getRedirectedSite(getSite(from), to)).toEqual({ host, port: '' }),
  );

  it.each([
    ['https://acme.com/', 'https://acme.org/'],
    ['https://acme.co.uk/', 'https://other.co.uk/'],
    ['https://acme.github.io/', 'https://other.github.io/'],
    ['https://acme.com/', 'https://en.acme.com:8443/'],
    ['https://acme.com/', 'http://10.0.0.1/'],
    ['http://10.0.0.1/', 'http://10.0.0.2/'],
    ['https://localhost/', 'https://other.localhost/'],
  ])('at %s must not move to %s', (from, to) => expect(getRedirectedSite(getSite(from), to)).toBeNull());
});
