import { OutboundHttpClient } from './outbound-http.client';
import { EXPIRED_CA, httpServer, httpsServer, tcpServer, TEST_CA, type LocalServer } from './testing/local-server';

describe('OutboundHttp over TLS', () => {
  const lookup = (): Promise<string[]> => Promise.resolve(['127.0.0.1']);
  const trusting = new OutboundHttpClient({ allowPrivate: true, lookup, ca: TEST_CA });
  const ordinary = new OutboundHttpClient({ allowPrivate: true, lookup });
  let secure: LocalServer;
  let plain: LocalServer;

  const request = (client: OutboundHttpClient, host: string, port: number) =>
    client.request({ url: `https://${host}:${port}/`, method: 'POST', timeoutMs: 20_000, maxResponseBytes: 1000 });

  beforeAll(async () => {
    secure = await httpsServer((req, res) => res.end(`${req.httpVersion} ${req.headers.host}`));
    plain = await httpServer((_, res) => res.end());
  });
  afterAll(async () => {
    await Promise.all([trusting.onModuleDestroy(), ordinary.onModuleDestroy()]);
    await Promise.all([secure.close(), plain.close()]);
  });

  it('verifies the certificate for the name, not for the address', async () => {
    const response = await request(trusting, 'receiver.test', secure.port);
    expect(response.body.toString()).toBe(`1.1 receiver.test:${secure.port}`);
  });

  it('accepts a certificate for an address', async () => {
    expect((await request(trusting, '127.0.0.1', secure.port)).status).toBe(200);
  });

  it.each([
    ['has an untrusted issuer', () => request(ordinary, 'receiver.test', secure.port), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['is for another name', () => request(trusting, 'other.test', secure.port), 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('rejects a certificate that %s, before anything is sent', async (_, attempt, code) => {
    await expect(attempt()).rejects.toMatchObject({ reason: 'tls', retry: true, ambiguous: false, cause: { code } });
  });

  it('rejects an expired certificate of a trusted issuer', async () => {
    const expired = await httpsServer((_, res) => res.end(), { cert: EXPIRED_CA });
    const client = new OutboundHttpClient({ allowPrivate: true, lookup, ca: EXPIRED_CA });
    await expect(request(client, 'receiver.test', expired.port)).rejects.toMatchObject({
      reason: 'tls',
      ambiguous: false,
      cause: { code: 'CERT_HAS_EXPIRED' },
    });
    await client.onModuleDestroy();
    await expired.close();
  });

  it('rejects obsolete TLS versions', async () => {
    const old = await httpsServer((_, res) => res.end(), {
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    await expect(request(trusting, 'receiver.test', old.port)).rejects.toMatchObject({
      reason: 'tls',
      ambiguous: false,
    });
    await old.close();
  });

  it('times out when the handshake does not complete', async () => {
    const silent = await tcpServer(() => undefined);
    const url = `https://receiver.test:${silent.port}/`;
    const asking = trusting.request({ url, method: 'GET', timeoutMs: 100, maxResponseBytes: 1 });
    await expect(asking).rejects.toMatchObject({ reason: 'timeout' });
    await silent.close();
  });

  it('reports a server without TLS', async () => {
    await expect(request(trusting, 'receiver.test', plain.port)).rejects.toMatchObject({
      reason: 'tls',
      ambiguous: false,
    });
  });

  it('reports a refused connection as such, not as a TLS failure', async () => {
    const gone = await httpServer(() => undefined);
    await gone.close();
    await expect(request(trusting, 'receiver.test', gone.port)).rejects.toMatchObject({
      reason: 'connect',
      retry: true,
    });
  });
});
