import fc from 'fast-check';
import { isWorthReading, normalizeUrl, getPageKey, getPageShape } from './page-url';

describe('normalizeUrl', () => {
  it.each([
    ['https://Acme.Test', 'https://acme.test/'],
    ['HTTPS://acme.test:443/a', 'https://acme.test/a'],
    ['http://acme.test:80/a#part', 'http://acme.test/a'],
    ['https://acme.test./a', 'https://acme.test/a'],
    ['https://acme.test/a/../b/./c', 'https://acme.test/b/c'],
    ['https://acme.test//a///b', 'https://acme.test/a/b'],
    ['https://acme.test/%7euser/%c3%bc%2fx', 'https://acme.test/~user/%C3%BC%2Fx'],
    ['https://acme.test/?utm_source=x&b=2&gclid=1&a=1', 'https://acme.test/?a=1&b=2'],
    ['https://acme.test/a;jsessionid=AB12?PHPSESSID=1', 'https://acme.test/a'],
    ['https://müller.test/', 'https://xn--mller-kva.test/'],
    [' https://acme.test/a ', 'https://acme.test/a'],
  ])('writes %s as %s', (text, normal) => expect(normalizeUrl(text)).toBe(normal));

  it.each([
    ['/b?x=1', 'https://acme.test/b?x=1'],
    ['../c', 'https://acme.test/c'],
    ['//other.test/', 'https://other.test/'],
    ['?page=2', 'https://acme.test/a/d?page=2'],
  ])('resolves %s', (link, normal) => expect(normalizeUrl(link, 'https://acme.test/a/d')).toBe(normal));

  it.each([
    'file:///etc/passwd',
    'data:text/html,x',
    'javascript:alert(1)',
    'mailto:a@acme.test',
    'ftp://acme.test/',
    'https://user@acme.test/',
    'https://user:pass@acme.test/',
    'https://',
    'no address',
    `https://acme.test/${'x'.repeat(3_000)}`,
  ])('rejects %s', (text) => expect(normalizeUrl(text)).toBeNull());

  const urls = fc.webUrl({ withQueryParameters: true, withFragments: true });

  it('is idempotent', () => {
    fc.assert(
      fc.property(urls, (text) => {
        const normal = normalizeUrl(text);
        return normal === null || normalizeUrl(normal) === normal;
      }),
    );
  });

  it('preserves keys, and returns http(s) URLs only', () => {
    fc.assert(
      fc.property(urls, fc.string(), (text, link) => {
        const normal = normalizeUrl(link, text);
        if (normal === null) return true;
        return /^https?:\/\//.test(normal) && getPageKey(normal) === getPageKey(normalizeUrl(normal) ?? '');
      }),
    );
  });
});

describe('pageKey', () => {
  it.each([
    ['https://acme.test/a', 'http://www.acme.test/a/'],
    ['https://acme.test/', 'https://acme.test/index.html'],
    ['https://acme.test/de/', 'https://www.acme.test/de/index.php'],
  ])('treats %s and %s as one page', (one, other) => expect(getPageKey(one)).toBe(getPageKey(other)));

  it.each([
    ['https://acme.test/a', 'https://acme.test/b'],
    ['https://acme.test/a', 'https://acme.test/a?x=1'],
    ['https://acme.test/a', 'https://acme.test:8443/a'],
    ['https://acme.test/', 'https://en.acme.test/'],
  ])('treats %s and %s as two pages', (one, other) => expect(getPageKey(one)).not.toBe(getPageKey(other)));
});

describe('pageShape', () => {
  it('is equal for pages that differ in digits and values', () => {
    expect(getPageShape('https://a.test/2026/11/22?day=3')).toBe(getPageShape('https://a.test/1999/1/2?day=40'));
    expect(getPageShape('https://a.test/plans')).not.toBe(getPageShape('https://a.test/pricing'));
  });
});

describe('isWorthReading', () => {
  it.each(['/', '/about', '/products/timetables', '/en/pricing?currency=eur', '/research', '/a/b/c/d', '/v1.2/notes'])(
    'reads %s',
    (path) => expect(isWorthReading(`https://acme.test${path}`)).toBe(true),
  );

  it.each([
    '/brochure.pdf',
    '/logo.PNG',
    '/feed/',
    '/login',
    '/wp-admin/',
    '/cart/checkout',
    '/search?q=x',
    '/a/b/a/b/a/b',
    '/1/2/3/4/5/6/7/8/9',
    '/list?a=1&b=2&c=3',
    `/list?filter=${'x'.repeat(100)}`,
    `/${'x'.repeat(500)}`,
  ])('skips %s', (path) => expect(isWorthReading(`https://acme.test${path}`)).toBe(false));
});
