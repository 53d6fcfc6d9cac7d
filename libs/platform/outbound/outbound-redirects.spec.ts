import { toNextHop } from './outbound-redirects';
import { type Hop, type OutboundMethod } from './outbound-request';

const SECRETS = { authorization: 'Bearer x', cookie: 'a=b', 'x-api-key': 'k', 'webhook-signature': 's' };
const HARMLESS = { accept: '*/*', 'user-agent': 'outreach' };

const hop = (method: OutboundMethod = 'GET'): Hop => ({
  url: new URL('https://a.example/dir/page?q=1'),
  method,
  headers: { ...SECRETS, ...HARMLESS, 'content-type': 'text/plain', 'content-language': 'en' },
  body: method === 'GET' || method === 'HEAD' ? undefined : 'body',
});

describe('a redirect', () => {
  it.each([200, 204, 300, 304, 305, 306, 400, 500])('is absent for status %i', (status) => {
    expect(toNextHop(hop(), status, 'https://b.example/')).toBeNull();
  });

  it('is absent without a Location', () => {
    expect(toNextHop(hop(), 302, undefined)).toBeNull();
  });

  it.each([
    ['/x', 'https://a.example/x'],
    ['x', 'https://a.example/dir/x'],
    ['?q=2', 'https://a.example/dir/page?q=2'],
    ['//b.example/x', 'https://b.example/x'],
    ['http://b.example', 'http://b.example/'],
    ['', 'https://a.example/dir/page?q=1'],
  ])('to %j leads to %s', (location, href) => {
    expect(toNextHop(hop(), 302, location)?.url.href).toBe(href);
  });

  it.each(['ftp://b.example/', 'file:///etc/passwd', 'https://u:p@b.example/', 'http://'])(
    'to %s is rejected',
    (location) => {
      expect(() => toNextHop(hop(), 302, location)).toThrow(expect.objectContaining({ reason: 'invalid_url' }));
    },
  );

  it.each<[number, OutboundMethod, OutboundMethod]>([
    [301, 'GET', 'GET'],
    [301, 'POST', 'GET'],
    [301, 'PUT', 'PUT'],
    [302, 'POST', 'GET'],
    [302, 'HEAD', 'HEAD'],
    [302, 'DELETE', 'DELETE'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH'],
  ])('with %i changes a %s to a %s', (status, method, expected) => {
    const next = toNextHop(hop(method), status, '/next');
    expect(next?.method).toBe(expected);
    const keptBody = expected === method;
    expect(next?.body).toBe(keptBody ? hop(method).body : undefined);
    expect(Object.keys(next?.headers ?? {}).filter((name) => name.startsWith('content-'))).toHaveLength(
      keptBody ? 2 : 0,
    );
  });

  it('within the origin keeps all headers', () => {
    expect(toNextHop(hop(), 302, '/next')?.headers).toEqual(hop().headers);
  });

  it.each(['https://b.example/', 'http://a.example/', 'https://a.example:8443/', 'https://sub.a.example/'])(
    'to the other origin %s keeps only harmless headers',
    (location) => {
      expect(toNextHop(hop('POST'), 307, location)?.headers).toEqual({ ...HARMLESS, 'content-type': 'text/plain' });
    },
  );
});
