import { type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { newCampaign } from '../campaigns/campaigns';
import { dataOf, UNKNOWN_ID } from '../workspaces/people';

const REFUSED = 'Compressed bodies are not supported';
const TEXT = '{"name":"Compressed"}';
const FORM = 'application/x-www-form-urlencoded';
/** The prototype of every stream that compresses or decompresses. */
const anyCoder = Object.getPrototypeOf(Object.getPrototypeOf(zlib.Gunzip.prototype)) as Transform;
/** A few kilobytes that decompress to 8 MB. */
const BOMB = zlib.gzipSync(`{"name":"${'x'.repeat(8_000_000)}"}`);

const CODINGS: [coding: string, body: Buffer][] = [
  ['gzip', zlib.gzipSync(TEXT)],
  ['GZIP', zlib.gzipSync(TEXT)],
  ['x-gzip', zlib.gzipSync(TEXT)],
  ['deflate', zlib.deflateSync(TEXT)],
  ['br', zlib.brotliCompressSync(TEXT)],
  ['zstd', zlib.zstdCompressSync(TEXT)],
  ['unknown', Buffer.from(TEXT)],
  ['gzip, identity', zlib.gzipSync(TEXT)],
  ['identity, gzip', zlib.gzipSync(TEXT)],
  ['identity, identity', Buffer.from(TEXT)],
];

/** Routes that need no key or read the body themselves; the routes of the OpenAPI document are tested too. */
const ROUTES: [method: 'post' | 'get' | 'delete' | 'patch', path: string, type: string][] = [
  ['post', '/v1/invitations/accept', 'application/json'],
  ['post', '/u/token', FORM],
  ['post', '/u/token', 'multipart/form-data; boundary=x'],
  ['post', '/r/token', FORM],
  ['post', '/enrichment/callback/token', 'application/json'],
  ['get', '/t/o/token', 'text/plain'],
  ['get', '/oauth/google/callback', FORM],
  ['get', '/oauth/chat/slack/callback', FORM],
  ['get', '/oauth/crm/hubspot/callback', FORM],
  ['delete', `/v1/webhooks/${UNKNOWN_ID}`, 'application/json'],
  ['get', '/health/live', 'text/plain'],
];

describe('request bodies with a Content-Encoding', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());
  afterEach(() => jest.restoreAllMocks());

  /** A key that may create workspaces, and no key. */
  const callers = () => [platform.api.as(workspace.owner.key), platform.api];

  it.each(CODINGS)('answers 415 Form A to the coding %j, with and without a key', async (coding, body) => {
    for (const api of callers()) {
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': coding };
      const response = await api.with(headers).post('/v1/workspaces').send(body);
      expectFormA(response, 415, REFUSED);
      expect(response.headers).toMatchObject({
        'accept-encoding': 'identity',
        'x-request-id': expect.any(String) as unknown,
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it.each(ROUTES)('answers 415 Form A to %s %s of the type %s', async (method, path, type) => {
    for (const api of callers()) {
      const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip' };
      expectFormA(await api.with(headers)[method](path).send(zlib.gzipSync(TEXT)), 415, REFUSED);
    }
  });

  it('answers 415 Form A on every described route that takes a body, with and without a key', async () => {
    const { paths } = (await platform.api.get('/openapi.json')).body as {
      paths: Record<string, Record<string, { requestBody?: { content: object } }>>;
    };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) =>
        Object.keys(requestBody?.content ?? {}).map((type) => ({ method, path, type })),
      ),
    );
    expect(new Set(routes.map(({ type }) => type))).toEqual(new Set(['application/json', 'text/csv']));
    expect(routes.length).toBeGreaterThan(40);
    for (const { method, path, type } of routes) {
      for (const api of callers()) {
        const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip' };
        const asked = api.with(headers)[method as 'post'](path.replaceAll(/\{\w+\}/g, UNKNOWN_ID));
        expect({ method, path, status: (await asked.send(zlib.gzipSync(TEXT))).status }).toEqual({
          method,
          path,
          status: 415,
        });
      }
    }
  });

  it('answers 415 on the tracking host of a workspace', async () => {
    const headers = { Host: 'links.example.com', 'Content-Type': FORM, 'Content-Encoding': 'deflate' };
    expectFormA(await platform.api.with(headers).post('/u/token').send(zlib.deflateSync('x=y')), 415, REFUSED);
  });

  it('answers 415 to a body without a length', async () => {
    const response = await fetch(`${await platform.app.getUrl()}/v1/workspaces`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: new Blob([zlib.gzipSync(TEXT)]).stream(),
      duplex: 'half',
    });
    expectFormA({ status: response.status, body: await response.json() }, 415, REFUSED);
  });

  it('never decompresses a body, whatever its size and sender', async () => {
    const inflating = jest.spyOn(anyCoder, '_transform');
    const packed: [string, Buffer][] = [['gzip', BOMB], ...CODINGS];
    for (const api of callers()) {
      for (const [coding, body] of packed) {
        const headers = { 'Content-Type': 'application/json', 'Content-Encoding': coding };
        for (const path of ['/v1/invitations/accept', '/v1/workspaces']) {
          expectFormA(await api.with(headers).post(path).send(body), 415, REFUSED);
        }
      }
    }
    expect(inflating).not.toHaveBeenCalled();
  });

  it('looks up no key and counts nothing towards its rate limit', async () => {
    const { headers } = await platform.api
      .as('no-such-key')
      .with({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .post('/v1/workspaces')
      .send(BOMB)
      .expect(415);
    expect(Object.keys(headers as object).filter((name) => name.startsWith('ratelimit-'))).toEqual([]);
  });

  describe.each(['identity', 'Identity', ''])('of %j', (coding) => {
    const encoded = (type: string) =>
      platform.api.as(workspace.owner.key).with({ 'Content-Type': type, 'Content-Encoding': coding });

    it('are read as JSON', async () => {
      const response = await encoded('application/json').post('/v1/workspaces').send(TEXT).expect(201);
      expect(dataOf<{ name: string }>(response).name).toBe('Compressed');
    });

    it('are read as a file', async () => {
      const { _id } = await newCampaign(platform, workspace);
      const response = await encoded('text/csv').post(`/v1/campaigns/${_id}/leads/import`).send('email\na@b.example\n');
      expect([response.status, response.body]).toMatchObject([202, { success: true }]);
    });

    it('reach the page that reads them itself', async () => {
      const response = await encoded(FORM).post('/u/token').send('List-Unsubscribe=One-Click');
      expect([response.status, response.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    });
  });

  it('may be absent: the header alone is accepted', async () => {
    const api = platform.api.as(workspace.key).with({ 'Content-Encoding': 'gzip' });
    expect((await api.get('/v1/workspaces')).status).toBe(200);
    expectFormB(await api.get('/v1/workspaces?limit=x'), 400, 'VALIDATION_ERROR', 'limit');
  });
});
