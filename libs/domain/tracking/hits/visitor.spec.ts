import { getClient, getNetwork } from './visitor';

describe('the network of an address', () => {
  it.each([
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['::1', '::/48'],
    ['nobody', ''],
    [undefined, ''],
  ])('of %s is %s', (address, network) => {
    expect(getNetwork(address)).toBe(network);
  });
});

describe('a client', () => {
  const of = (headers: Record<string, string | string[]>, address = '192.0.2.1', method = 'GET') =>
    getClient({ method, address, headers });

  it('has the same id for any address of its network, and another for another user agent or network', () => {
    const { client } = of({ 'user-agent': 'A' });
    expect(of({ 'user-agent': 'A' }, '192.0.2.200').client).toBe(client);
    expect(of({ 'user-agent': 'A' }, '192.0.3.1').client).not.toBe(client);
    expect(of({ 'user-agent': 'B' }).client).not.toBe(client);
    expect(client).toMatch(/^[\w-]{16}$/);
  });

  it.each([
    [{ 'sec-purpose': 'prefetch;prerender' }, true],
    [{ purpose: 'prefetch' }, true],
    [{ 'x-purpose': 'preview' }, true],
    [{ 'x-moz': ['x', 'prefetch'] }, true],
    [{ 'sec-fetch-dest': 'image' }, false],
  ])('with the headers %j is a prefetch: %s', (headers, ahead) => {
    expect(of(headers as Record<string, string>).ahead).toBe(ahead);
  });

  it('has a user agent of at most 300 well-formed characters', () => {
    expect(of({ 'user-agent': `${'a'.repeat(299)}\u{1F600}b` }).userAgent).toBe(`${'a'.repeat(299)}\uFFFD`);
    expect(of({}).userAgent).toBe('');
  });

  it('is marked for a HEAD request', () => {
    expect([of({}, '::1', 'HEAD').head, of({}).head]).toEqual([true, false]);
  });
});
