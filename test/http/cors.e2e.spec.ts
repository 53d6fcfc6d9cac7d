import { type Response } from 'supertest';
import { expectFormA, expectFormB, type Platform, sharedPlatform, startPlatform } from '../harness';

const ALLOWED = 'https://app.example';
const FOREIGN = ['https://evil.example', 'https://app.example.evil.example', 'http://app.example', 'null'];
const HEADERS = 'x-api-key, idempotency-key, content-type, x-workspace-id';

/** The preflight of a browser for a request with these headers. */
const preflight = (platform: Platform, origin: string, method: string, path = '/v1/workspaces'): Promise<Response> =>
  platform.api
    .with({
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': HEADERS,
    })
    .options(path)
    .then((response) => response);

const corsHeaders = ({ headers }: Response) =>
  Object.keys(headers as object).filter((name) => name.startsWith('access-control-'));

describe('an installation with allowed origins', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform({ env: { CORS_ORIGINS: `${ALLOWED}, https://second.example` } });
  });
  afterAll(() => platform.close());

  it.each([ALLOWED, 'https://second.example'])('answers the preflight of %s without a key', async (origin) => {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const response = await preflight(platform, origin, method);
      expect(response.status).toBe(204);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-max-age': '600',
        vary: expect.stringContaining('Origin') as unknown,
      });
      const allowed = response.headers['access-control-allow-headers']!.toLowerCase().split(/,\s*/);
      expect(allowed).toEqual(expect.arrayContaining(HEADERS.split(', ')));
      expect(response.headers['access-control-allow-methods']!.split(/,\s*/)).toContain(method);
      // Keys use a header of their own; cookies are never allowed.
      expect(response.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  it.each(FOREIGN)('answers the preflight of %s without allowing it', async (origin) => {
    const response = await preflight(platform, origin, 'POST');
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('lets an allowed origin read responses, headers and refusals, and a foreign origin nothing', async () => {
    const { key } = await platform.seed.workspace();
    const list = (origin: string) => platform.api.as(key).get('/v1/workspaces').set('Origin', origin);
    const answer = await list(ALLOWED);
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(ALLOWED);
    const exposed = answer.headers['access-control-expose-headers'];
    for (const name of ['X-Request-Id', 'Idempotent-Replayed', 'RateLimit-Remaining', 'Retry-After'])
      expect(exposed).toContain(name);
    for (const origin of FOREIGN) {
      expect((await list(origin)).headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('lets an allowed origin read the reason of a refusal: key, address, body', async () => {
    const { owner } = await platform.seed.workspace();
    const from = platform.api.with({ Origin: ALLOWED });
    const noKey = await from.get('/v1/workspaces');
    const nothing = await from.get('/v1/nothing');
    const badBody = await from.as(owner.key).post('/v1/workspaces').set('Content-Type', 'application/json').send('{');
    expectFormA(noKey, 401);
    expectFormA(nothing, 404);
    expectFormB(badBody, 400, 'VALIDATION_ERROR', 'body');
    for (const refused of [noKey, nothing, badBody]) {
      expect(refused.headers['access-control-allow-origin']).toBe(ALLOWED);
    }
  });
});

describe('an installation without allowed origins', () => {
  it('answers no preflight', async () => {
    const platform = await sharedPlatform();
    for (const origin of [ALLOWED, ...FOREIGN]) {
      expect(corsHeaders(await preflight(platform, origin, 'POST'))).toEqual([]);
    }
    await platform.close();
  });
});
