import { OutboundAddressService } from './outbound-address.service';
import { dnsLookup } from './dns-lookup';
import { OutboundHttpClient } from './outbound-http.client';
import { type OutboundResponse } from './outbound-request';
import { type DnsServer, dnsServer } from './testing/dns-server';
import { httpServer, type LocalServer } from './testing/local-server';

/** Two local addresses: the policy allows one, like a public address, and not the other. */
const OPEN = '127.0.0.1';
const SHUT = '127.0.0.2';

describe('OutboundHttp with an untrusted name server', () => {
  let outside: LocalServer;
  let inside: LocalServer;
  let dns: DnsServer;
  let http: OutboundHttpClient;
  let asked: string[];
  /** The answers of the name server in order; the last one repeats. */
  let answers: string[][];

  beforeEach(async () => {
    outside = await httpServer((_, res) => res.setHeader('connection', 'close').end('outside'));
    inside = await httpServer((_, res) => res.end('inside'), { host: SHUT, port: outside.port });
    asked = [];
    dns = await dnsServer((name) => {
      asked.push(name);
      // Each lookup requests both address families.
      const a = answers[Math.min(Math.ceil(asked.length / 2), answers.length) - 1];
      return { a: a ?? [] };
    });
    http = new OutboundHttpClient({ allowPrivate: [`${OPEN}/32`], lookup: dnsLookup([dns.address]) });
  });
  afterEach(async () => {
    await http.onModuleDestroy();
    await Promise.all([outside.close(), inside.close()]);
    dns.close();
  });

  const get = (host = 'rebinding.test'): Promise<OutboundResponse> =>
    http.request({ url: `http://${host}:${outside.port}/`, method: 'GET', timeoutMs: 20_000, maxResponseBytes: 100 });

  it('connects to the checked address, even if the name resolves differently afterwards', async () => {
    answers = [[OPEN], [SHUT]];
    expect((await get()).body.toString()).toBe('outside');
    expect([asked, inside.connections()]).toEqual([['rebinding.test', 'rebinding.test'], 0]);
  });

  it('rejects the name once it resolves to a private address', async () => {
    answers = [[OPEN], [SHUT]];
    await get();
    await expect(get()).rejects.toMatchObject({ reason: 'address_refused', retry: false });
    expect([outside.connections(), inside.connections()]).toEqual([1, 0]);
  });

  it.each([[[OPEN, SHUT]], [[SHUT, OPEN]]])('rejects a name with the addresses %j as a whole', async (addresses) => {
    answers = [addresses];
    await expect(get()).rejects.toMatchObject({ reason: 'address_refused' });
    expect([outside.connections(), inside.connections()]).toEqual([0, 0]);
  });

  it('connects to the checked address for other protocols as well', async () => {
    answers = [[OPEN], [SHUT]];
    const guard = new OutboundAddressService({ allowPrivate: [`${OPEN}/32`], lookup: dnsLookup([dns.address]) });
    expect(await guard.resolve('rebinding.test')).toEqual([{ address: OPEN, family: 4 }]);
    await expect(guard.resolve('rebinding.test')).rejects.toMatchObject({ reason: 'address_refused' });
  });

  it('makes no lookup for an address', async () => {
    answers = [[OPEN]];
    await expect(get(SHUT)).rejects.toMatchObject({ reason: 'address_refused' });
    expect((await get(OPEN)).body.toString()).toBe('outside');
    expect(asked).toEqual([]);
  });
});
