import { connect, type AddressInfo } from 'node:net';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { UNKNOWN_ID } from '../workspaces/people';

describe('the errors of the HTTP layer', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const post = () => platform.api.as(workspace.owner.key).post('/v1/workspaces');

  it.each(['/v1/no-such-thing', '/', '/v1', '/v1/workspaces/x/y/z', '/v1/%E0%A4%A', '/v1/workspaces/%E0%A4%A'])(
    'answers 404 Form A at %s, which is no route',
    async (path) => {
      expectFormA(await platform.api.as(workspace.key).get(path), 404);
    },
  );

  it.each([
    ['put', '/v1/workspaces'],
    ['delete', '/v1/workspaces'],
    ['put', '/v1/workspaces/x'],
    ['delete', '/health/live'],
  ] as const)('answers 405 Form A to %s %s, and names the accepted methods', async (method, path) => {
    const response = await platform.api.as(workspace.key)[method](path);
    expectFormA(response, 405);
    expect(response.headers['allow']).toContain('GET');
  });

  it('routes a path to its literal route, and to no other that would match it', async () => {
    const paths = await describedPaths();
    const literal = (path: string) => path.split('/').filter((segment) => !segment.startsWith('{')).length;
    const taken = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    const siblings = Object.keys(paths).filter((path) =>
      Object.keys(paths).some((other) => taken(other).test(path) && literal(other) < literal(path)),
    );
    expect(siblings).toContain('/v1/campaigns/{campaignId}/leads/export');
    for (const path of siblings) {
      const allowed = paths[path]!.map((method) => method.toUpperCase());
      for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
        if (paths[path]!.includes(method)) continue;
        const response = await platform.api.as(workspace.key)[method](path.replaceAll(/\{\w+\}/g, UNKNOWN_ID));
        expectFormA(response, 405, `allows ${allowed.join(', ')}`);
        expect({ method, path, allow: response.headers['allow'] }).toEqual({ method, path, allow: allowed.join(', ') });
      }
    }
  });

  it.each([
    ['put', 'export', 'GET'],
    ['patch', 'EXPORT/', 'GET'],
    ['get', 'action', 'POST'],
    ['head', 'action', 'POST'],
    ['delete', 'bulk-action', 'GET, PATCH'],
  ] as const)('answers 405 to %s …/leads/%s and allows %s', async (method, name, allow) => {
    const response = await platform.api.as(workspace.key)[method](`/v1/campaigns/${UNKNOWN_ID}/leads/${name}`);
    expect([response.status, response.headers['allow']]).toEqual([405, allow]);
  });

  it('accepts HEAD for a route with GET', async () => {
    const response = await platform.api.as(workspace.key).head(`/v1/campaigns/${UNKNOWN_ID}/leads/export`);
    expect(response.status).toBe(404);
  });

  /** Methods by path, as in /openapi.json. */
  async function describedPaths(): Promise<Record<string, string[]>> {
    const { paths } = (await platform.api.get('/openapi.json')).body as { paths: Record<string, object> };
    return Object.fromEntries(Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods)]));
  }

  it.each(['{"name":', 'not json', '{"name":"x"}}', '\u0000', '"x', ' '])(
    'answers VALIDATION_ERROR to the body %j without repeating it',
    async (body) => {
      const response = await post().set('Content-Type', 'application/json').send(body);
      expectFormB(response, 400, 'VALIDATION_ERROR', 'body');
    },
  );

  it.each(['"a string"', '5', 'null', 'true', '[]', '[{"name":"x"}]'])(
    'reports that %s is not a JSON object',
    async (body) => {
      const response = await post().set('Content-Type', 'application/json').send(body);
      expectFormB(response, 400, 'VALIDATION_ERROR', 'body');
      expect(response.text).toContain('The request body must be a JSON object');
    },
  );

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'refuses a field named %s, which every object inherits',
    async (name) => {
      const response = await post()
        .set('Content-Type', 'application/json')
        .send(`{"name":"x","${name}":{"admin":true}}`);
      expectFormB(response, 400, 'VALIDATION_ERROR', 'body');
    },
  );

  it.each([
    ['objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
    ['arrays', `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
  ])('refuses %s nested ten thousand levels deep', async (_name, body) => {
    expectFormB(await post().set('Content-Type', 'application/json').send(body), 400, 'VALIDATION_ERROR', 'body');
  });

  it.each([
    ['a null character', 'a\\u0000b'],
    ['half of a surrogate pair', 'a\\ud800b'],
  ])('refuses %s in a string', async (_name, name) => {
    const response = await post().set('Content-Type', 'application/json').send(`{"name":"${name}"}`);
    expectFormB(response, 400, 'VALIDATION_ERROR', 'name');
    const searched = await platform.api.as(workspace.owner.key).get('/v1/api-keys?search=%00');
    expectFormB(searched, 400, 'VALIDATION_ERROR', 'search');
  });

  it('answers 413 Form A to a body of 2 MB', async () => {
    expectFormA(await post().send({ name: 'x'.repeat(2 * 1024 * 1024) }), 413, '1 MB');
  });

  it('accepts a body of just under 1 MB for validation', async () => {
    expectFormB(await post().send({ name: 'x'.repeat(1024 * 1024 - 100) }), 400, 'VALIDATION_ERROR', 'name');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])(
    'answers 415 Form A to %s',
    async (type) => {
      expectFormA(await post().set('Content-Type', type).send('name=x'), 415, 'application/json');
    },
  );

  it('answers 415 Form A to an unsupported character set', async () => {
    const response = await post().set('Content-Type', 'application/json; charset=klingon').send('{"name":"x"}');
    expectFormA(response, 415);
  });

  it.each([
    ['an unknown field', { name: 'x', color: 'red' }, 'color'],
    ['a workspace id', { name: 'x', workspaceId: 'abc' }, 'workspaceId'],
    ['a user id', { name: 'x', userId: 'abc' }, 'userId'],
    ['credits', { name: 'x', credits: 5 }, 'credits'],
    ['an operator', { name: { $gt: '' } }, 'name'],
  ])('refuses %s in a body', async (_name, body, field) => {
    expectFormB(await post().send(body), 400, 'VALIDATION_ERROR', field);
  });

  it.each(['limit[$gt]=1', 'cursor[$ne]=', 'limit=5&limit=6', '$where=1', '__proto__[x]=1', 'workspaceId=abc'])(
    'refuses the query %s',
    async (query) => {
      const response = await platform.api.as(workspace.owner.key).get(`/v1/workspaces?${query}`);
      expectFormB(response, 400, 'VALIDATION_ERROR', decodeURIComponent(query.split('=')[0]!));
    },
  );

  it.each(['0', '101', '-1', '1e2', '0x10', '5.5', '', '%205', '05'])('refuses limit=%s', async (limit) => {
    const response = await platform.api.as(workspace.owner.key).get(`/v1/workspaces?limit=${limit}`);
    expectFormB(response, 400, 'VALIDATION_ERROR', 'limit');
  });

  it.each(['x', 'AAAA.BBBB', 'a'.repeat(2001), '%00'])('refuses cursor=%s', async (cursor) => {
    const response = await platform.api.as(workspace.owner.key).get(`/v1/workspaces?cursor=${cursor}`);
    expectFormB(response, 400, 'VALIDATION_ERROR', 'cursor');
  });

  it.each([
    ['malformed', '{bad'],
    ['too large', `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`],
    ['of the wrong type', 'name=x'],
  ])('ignores a body that is %s when the key is missing or the route is unknown', async (name, body) => {
    const type = name === 'of the wrong type' ? 'text/plain' : 'application/json';
    expectFormA(await platform.api.post('/v1/workspaces').set('Content-Type', type).send(body), 401);
    expectFormA(await platform.api.post('/v1/nothing').set('Content-Type', type).send(body), 404);
  });

  it('refuses an object with very many fields without checking each, also without a key', async () => {
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 90_000 }, (_value, index) => [`k${index}`, 1])),
    );
    const response = await platform.api
      .post('/v1/invitations/accept')
      .set('Content-Type', 'application/json')
      .send(wide);
    expectFormB(response, 400, 'VALIDATION_ERROR', 'body');
  });

  it.each([
    ['a header of 20 kB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['another protocol', 'EHLO mail.example.com\r\n\r\n', 400],
  ])('answers %s with the same body and a request id', async (_name, bytes, status) => {
    const { port } = platform.app.getHttpServer().address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(bytes);
    const answer = Buffer.concat(await socket.toArray()).toString();
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/X-Request-Id: [\w-]{36}/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ code: status });
  });

  describe('headers', () => {
    it('give each response a request id, and keep a harmless id of the caller', async () => {
      const [first, second, kept, replaced] = [
        await platform.api.get('/health/live'),
        await platform.api.get('/v1/nothing'),
        await platform.api.get('/health/live').set('X-Request-Id', 'my-request-42'),
        await platform.api.get('/health/live').set('X-Request-Id', 'bad id;"'),
      ];
      expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
      expect(second.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
      expect(kept.headers['x-request-id']).toBe('my-request-42');
      expect(replaced.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    });

    it('protect a browser that opens the API, and do not name the framework', async () => {
      const { headers } = await platform.api.as(workspace.key).get('/v1/workspaces');
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'strict-transport-security': expect.stringContaining('max-age=') as unknown,
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(headers['x-powered-by']).toBeUndefined();
    });

    it('allow no other origin by default', async () => {
      const response = await platform.api.as(workspace.key).get('/v1/workspaces').set('Origin', 'https://evil.example');
      expect(response.headers['access-control-allow-origin']).toBeUndefined();
    });
  });

  it('logs one line for each request with its id, the route and no secret', async () => {
    const id = 'request-to-be-logged';
    await platform.api.as(workspace.key).get(`/v1/workspaces/${workspace.workspaceId}`).set('X-Request-Id', id);
    const lines = platform
      .logged()
      .split('\n')
      .filter((line) => line.includes(id));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        msg: 'Request',
        route: '/v1/workspaces/:workspaceId',
        status: 200,
        workspaceId: workspace.workspaceId,
      }),
    ]);
    expect(platform.logged()).not.toContain(workspace.key);
    expect(platform.logged()).not.toContain(workspace.owner.key);
  });

  it('keeps the context of a request whose body has to be read', async () => {
    const id = 'request-with-a-body';
    await post().set('X-Request-Id', id).send({ name: 'Logged' });
    expect(platform.logged()).toContain(`"requestId":"${id}"`);
  });
});
