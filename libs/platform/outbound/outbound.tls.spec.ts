import { OutboundHttp } from './outbound.http';
import { httpServer, httpsServer, TEST_CA, type LocalServer } from './testing/local.server';

describe('OutboundHttp over TLS', () => {
  const lookup = (): Promise<string[]> => Promise.resolve(['127.0.0.1']);
  const trusting = new OutboundHttp({ allowPrivate: true, lookup, ca: TEST_CA });
  const ordinary = new OutboundHttp({ allowPrivate: true, lookup });
  let secure: LocalServer;
  let plain: LocalServer;

  const request = (client: OutboundHttp, host: string, port: number) =>
    client.request({ url: `https://${host}:${port}/`, method: 'POST', timeoutMs: 20_000, maxResponseBytes: 1000 });

  beforeAll(async () => {
    secure = await httpsServer((req, res) => res.end(`${req.httpVersion} ${req.headers.host}`));
    plain = await httpServer((_, res) => res.end());
  });
  afterAll(async () => {
    await Promise.all([trusting.onModuleDestroy(), ordinary.onModuleDestroy()]);
    await Promise.all([secure.close(), plain.close()]);
  });

  it('checks the certificate against the name, not against the address it dials', async () => {
    const response = await request(trusting, 'receiver.test', secure.port);
    expect(response.body.toString()).toBe(`1.1 receiver.test:${secure.port}`);
  });

  it('accepts a certificate for an address', async () => {
    expect((await request(trusting, '127.0.0.1', secure.port)).status).toBe(200);
  });

  it.each([
    ['nobody vouches for', () => request(ordinary, 'receiver.test', secure.port), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['is for another name', () => request(trusting, 'other.test', secure.port), 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('refuses a certificate that %s, before anything is sent', async (_, attempt, code) => {
    await expect(attempt()).rejects.toMatchObject({ reason: 'tls', retry: true, ambiguous: false, cause: { code } });
  });

  it('says that the other side speaks no TLS', async () => {
    await expect(request(trusting, 'receiver.test', plain.port)).rejects.toMatchObject({
      reason: 'tls',
      ambiguous: false,
    });
  });

  it('does not call it a TLS failure when nothing listens', async () => {
    const gone = await httpServer(() => undefined);
    await gone.close();
    await expect(request(trusting, 'receiver.test', gone.port)).rejects.toMatchObject({
      reason: 'connect',
      retry: true,
    });
  });
});
