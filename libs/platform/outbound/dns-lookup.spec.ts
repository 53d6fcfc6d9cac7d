import { dnsLookup, isNoSuchName } from './dns-lookup';
import { dnsServer, NXDOMAIN, SERVFAIL, type Zone } from './testing/dns-server';

async function lookUp(zone: Zone): Promise<readonly string[] | { code: unknown; noSuchName: boolean }> {
  const server = await dnsServer(() => zone);
  try {
    return await dnsLookup([server.address])('receiver.example');
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code, noSuchName: isNoSuchName(error) };
  } finally {
    server.close();
  }
}

describe('dnsLookup', () => {
  const v6 = Buffer.from('26064700000000000000000000001111', 'hex');

  it('returns the addresses of both families, IPv6 first', async () => {
    expect(await lookUp({ a: ['1.1.1.1', '1.0.0.1'], aaaa: [v6] })).toEqual(['2606:4700::1111', '1.1.1.1', '1.0.0.1']);
  });

  it('returns the addresses of a single family', async () => {
    expect(await lookUp({ a: ['1.1.1.1'] })).toEqual(['1.1.1.1']);
    expect(await lookUp({ aaaa: [v6], rcodeA: SERVFAIL })).toEqual(['2606:4700::1111']);
  });

  it.each([
    ['the name does not exist', { rcodeA: NXDOMAIN, rcodeAaaa: NXDOMAIN }, 'ENOTFOUND', true],
    ['the name has no address', {}, 'ENODATA', true],
    ['the server failed', { rcodeA: SERVFAIL, rcodeAaaa: SERVFAIL }, 'ESERVFAIL', false],
    ['the server failed for one family and the other is empty', { rcodeA: SERVFAIL }, 'ESERVFAIL', false],
  ])('reports that %s', async (_, zone, code, noSuchName) => {
    expect(await lookUp(zone)).toEqual({ code, noSuchName });
  });
});
