import { OutboundHttpClient } from './outbound-http.client';
import { type OutboundRequest } from './outbound-request';
import { httpServer, type LocalServer } from './testing/local-server';

const get = (url: string, changes: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'GET',
  timeoutMs: 20_000,
  maxResponseBytes: 1000,
  ...changes,
});

describe('OutboundHttp and addresses', () => {
  let server: LocalServer;
  let location = '/';
  const clients: OutboundHttpClient[] = [];
  const clientOf = (...options: ConstructorParameters<typeof OutboundHttpClient>): OutboundHttpClient => {
    const client = new OutboundHttpClient(...options);
    clients.push(client);
    return client;
  };
  /** Creates a client whose lookups return the given answers in order, and then the last one. */
  const resolving = (
    allowPrivate: boolean,
    ...answers: string[][]
  ): { client: OutboundHttpClient; lookups: () => number } => {
    let lookups = 0;
    const lookup = (): Promise<string[]> => Promise.resolve(answers[Math.min(lookups++, answers.length - 1)] ?? []);
    return { client: clientOf({ allowPrivate, lookup }), lookups: () => lookups };
  };

  beforeEach(async () => {
    server = await httpServer((req, res) => {
      res.setHeader('connection', 'close');
      if (req.url === '/redirect') res.writeHead(302, { location }).end();
      else res.end(`${req.method} ${req.headers.host} ${req.headers.authorization ?? 'no authorization'}`);
    });
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.onModuleDestroy()));
    await server.close();
  });

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.1',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '①②⑦.0.0.1',
    '１２７.0.0.1',
    '127。0。0。1',
    '𝟙𝟚𝟟.0.0.1',
    '017700000001',
    '0x7f000001',
    '127.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fc00::1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b:1::7f00:1]',
    '[2001:0:7f00:1::]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[::1]',
    '0.0.0.0',
    '[::]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
  ])('does not connect to the literal %s', async (host) => {
    const client = clientOf({ allowPrivate: false });
    await expect(client.request(get(`http://${host}:${server.port}/`))).rejects.toMatchObject({
      reason: 'address_refused',
      retry: false,
    });
    expect(server.connections()).toBe(0);
  });

  it.each(['[fe80::1%25lo]', '[::1%25lo]', '127.0.0.1%00.receiver.test', 'user@127.0.0.1', 'user:s3cret@127.0.0.1'])(
    'rejects a URL with the host %s before parsing its address',
    async (host) => {
      const asking = clientOf({ allowPrivate: true }).request(get(`http://${host}:${server.port}/`));
      await expect(asking).rejects.toMatchObject({
        reason: 'invalid_url',
        message: expect.not.stringContaining('s3cret'),
      });
      expect(server.connections()).toBe(0);
    },
  );

  it.each(['localhost.', '127.0.0.1.nip.test', 'LOCALHOST'])('checks the addresses of the name %s', async (host) => {
    const { client } = resolving(false, ['127.0.0.1']);
    await expect(client.request(get(`http://${host}:${server.port}/`))).rejects.toMatchObject({
      reason: 'address_refused',
    });
    expect(server.connections()).toBe(0);
  });

  it.each([[['127.0.0.1']], [['93.184.216.34', '127.0.0.1']], [['::1', '93.184.216.34']], [['::ffff:7f00:1']]])(
    'does not connect to a name that resolves to %j',
    async (addresses) => {
      const { client } = resolving(false, addresses);
      for (const scheme of ['http', 'https']) {
        const request = get(`${scheme}://receiver.test:${server.port}/?s3cret`);
        await expect(client.request(request)).rejects.toMatchObject({
          reason: 'address_refused',
          message: expect.stringMatching(/^receiver\.test resolves to an address that is not allowed \(loopback\)$/),
        });
      }
      expect(server.connections()).toBe(0);
    },
  );

  it('connects to loopback when the operator allows private networks, but never to metadata addresses', async () => {
    const client = clientOf({ allowPrivate: true });
    expect((await client.request(get(`http://localhost:${server.port}/`))).status).toBe(200);
    await expect(client.request(get('http://169.254.169.254/'))).rejects.toMatchObject({ reason: 'address_refused' });
    await expect(client.request(get('http://[fd00:ec2::254]/'))).rejects.toMatchObject({ reason: 'address_refused' });
  });

  it('connects to the checked address: a name is resolved once per connection', async () => {
    const { client, lookups } = resolving(true, ['127.0.0.1'], ['169.254.169.254']);
    const response = await client.request(get(`http://rebinding.test:${server.port}/`));
    expect(response.body.toString()).toContain(`GET rebinding.test:${server.port}`);
    expect(lookups()).toBe(1);
  });

  it('checks a name again for the next connection', async () => {
    const { client } = resolving(true, ['127.0.0.1'], ['169.254.169.254']);
    await client.request(get(`http://rebinding.test:${server.port}/`));
    await expect(client.request(get(`http://rebinding.test:${server.port}/`))).rejects.toMatchObject({
      reason: 'address_refused',
    });
  });

  it('tries the next checked address when the first does not answer', async () => {
    // Nothing listens on ::1 at the server's port; without IPv6, the result is the same.
    const { client } = resolving(true, ['::1', '127.0.0.1']);
    expect((await client.request(get(`http://receiver.test:${server.port}/`))).status).toBe(200);
  });

  it('reports a name that cannot be resolved', async () => {
    const lookup = (): Promise<string[]> => Promise.reject(Object.assign(new Error('x'), { code: 'ESERVFAIL' }));
    const client = clientOf({ allowPrivate: false, lookup });
    await expect(client.request(get('https://receiver.test/s3cret'))).rejects.toMatchObject({
      reason: 'dns',
      retry: true,
      message: 'receiver.test could not be looked up',
      cause: { code: 'ESERVFAIL' },
    });
  });

  describe('for a redirect', () => {
    it('returns the redirect unless the caller asks to follow it', async () => {
      location = '/';
      const response = await clientOf({ allowPrivate: true }).request(get(`http://127.0.0.1:${server.port}/redirect`));
      expect(response).toMatchObject({ status: 302, headers: { location: '/' } });
    });

    it('follows it and returns the final address', async () => {
      location = '/landing?x';
      const request = get(`http://127.0.0.1:${server.port}/redirect`, {
        followRedirects: 1,
        method: 'POST',
        body: 'x',
      });
      const response = await clientOf({ allowPrivate: true }).request(request);
      expect(response).toMatchObject({ status: 200, url: `http://127.0.0.1:${server.port}/landing?x` });
      expect(response.body.toString()).toMatch(/^GET /);
    });

    it.each(['http://169.254.169.254/latest/meta-data/', 'http://[fe80::1]/', 'http://0.0.0.0:1/'])(
      'does not follow to %s',
      async (target) => {
        location = target;
        const request = get(`http://127.0.0.1:${server.port}/redirect`, { followRedirects: 5 });
        await expect(clientOf({ allowPrivate: true }).request(request)).rejects.toMatchObject({
          reason: 'address_refused',
        });
      },
    );

    it('does not follow to an address with a password', async () => {
      location = `http://user:s3cret@127.0.0.1:${server.port}/`;
      const request = get(`http://127.0.0.1:${server.port}/redirect`, { followRedirects: 5 });
      await expect(clientOf({ allowPrivate: true }).request(request)).rejects.toMatchObject({
        reason: 'invalid_url',
        message: expect.not.stringContaining('s3cret'),
      });
    });

    it('checks the new name', async () => {
      location = `http://inside.test:${server.port}/`;
      const { client } = resolving(true, ['127.0.0.1'], ['169.254.169.254']);
      const request = get(`http://outside.test:${server.port}/redirect`, { followRedirects: 1 });
      await expect(client.request(request)).rejects.toMatchObject({ reason: 'address_refused' });
      expect(server.connections()).toBe(1);
    });

    it('removes credentials when the origin changes, and only then', async () => {
      const { client } = resolving(true, ['127.0.0.1']);
      const request = get(`http://a.test:${server.port}/redirect`, {
        followRedirects: 1,
        headers: { Authorization: 'Bearer x' },
      });
      location = `http://b.test:${server.port}/`;
      expect((await client.request(request)).body.toString()).toContain('no authorization');
      location = '/';
      expect((await client.request(request)).body.toString()).toContain('Bearer x');
    });

    it.each([1, 2, 5])('stops after %i redirects', async (followRedirects) => {
      location = '/redirect';
      const request = get(`http://127.0.0.1:${server.port}/redirect`, { followRedirects });
      await expect(clientOf({ allowPrivate: true }).request(request)).rejects.toMatchObject({
        reason: 'too_many_redirects',
        retry: false,
      });
      expect(server.connections()).toBe(followRedirects + 1);
    });
  });
});
