import { ZoneDnsDriver } from '../../dns/testing';
import { createHostLookup } from './host-lookup';

describe('hostLookup', () => {
  const dns = new ZoneDnsDriver({
    'both.example': { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] },
    'six.example': { AAAA: ['2001:db8::2'] },
    'text.example': { TXT: ['nothing else'] },
    'broken.example': { A: 'servfail', AAAA: 'servfail' },
    'half.example': { A: 'timeout', AAAA: [] },
  });
  const lookup = createHostLookup(dns);

  it('returns IPv4 addresses before IPv6 addresses', async () => {
    expect(await lookup('both.example')).toEqual(['192.0.2.1', '2001:db8::1']);
    expect(await lookup('six.example')).toEqual(['2001:db8::2']);
  });

  it.each([
    ['missing.example', 'ENOTFOUND'],
    ['text.example', 'ENOTFOUND'],
    ['broken.example', 'ESERVFAIL'],
    ['half.example', 'ESERVFAIL'],
  ])('fails for %s with %s', async (host, code) => {
    await expect(lookup(host)).rejects.toMatchObject({ code });
  });
});
